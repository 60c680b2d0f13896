#!/bin/sh
# Makes weights/raven-cpu-64.safetensors again, from nothing: every run that led to it, in order.
# Two CPU cores, overnight. Interrupt it whenever you like and start it again: it goes on where it was.
set -eu
cd "$(dirname "$0")/.."
export MIMALLOC_PURGE_DELAY=-1   # freed memory is kept instead of given back and faulted in again
cargo build --release -p genvp
first=runs/raven-cpu-64-first second=runs/raven-cpu-64
train() {  # RUN, then its settings; goes on with a run that is there
    out=$1 && shift
    [ -e "$out/config.toml" ] && set -- "$@" --resume
    target/release/genvp train --preset cpu-64 --out "$out" "$@"
}
# The weights in the box stopped this run by hand after step 10,515 (168,240 puzzles).
train "$first" --puzzles 300000 --set train.validation.puzzles=60 --set train.validation.every=30000
train "$second" --init-from "$first/checkpoints/$(cat "$first/latest")" --puzzles 60000 --set train.seed=2 \
  --set train.learning_rate=1.2e-3 --set train.feed.layouts.3x3=3 --set train.feed.layouts.2x2=1.5 \
  --set train.feed.layouts.o-ig=2 --set train.validation.puzzles=60 --set train.validation.every=60000 \
  --set train.keep.pictures_every=0
cargo run --release -p genvp-train --example export -- "$second" "$second/raven-cpu-64.safetensors" 500
# The same with a digest inside, so that a changed file is noticed.
target/release/genvp model export "$second/raven-cpu-64.safetensors" --out weights --force
