#!/bin/sh
# Makes weights/raven-cpu-64.safetensors again, from nothing: every run that led to it, in order.
# Two CPU cores, overnight. Interrupt it whenever you like and start it again: it goes on where it was.
set -eu
cd "$(dirname "$0")/.."
run=runs/raven-cpu-64
resume=""
[ -e "$run/config.toml" ] && resume="--resume"
export MIMALLOC_PURGE_DELAY=-1   # freed memory is kept instead of given back and faulted in again
cargo build --release -p genvp
# The weights in the box are this run's checkpoint at 150,000 puzzles, the best of those made before it was stopped.
target/release/genvp train --preset cpu-64 --out "$run" $resume --puzzles 300000 \
  --set train.validation.puzzles=60 --set train.validation.every=30000
cargo run --release -p genvp-train --example export -- "$run" "$run/raven-cpu-64.safetensors" 1000
# The same with a digest inside, so that a changed file is noticed.
target/release/genvp model export "$run/raven-cpu-64.safetensors" --out weights --force
