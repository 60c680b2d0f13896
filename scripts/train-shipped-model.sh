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
target/release/genvp train --preset cpu-64 --out "$run" $resume
cargo run --release -p genvp-train --example export -- "$run" weights/raven-cpu-64.safetensors
