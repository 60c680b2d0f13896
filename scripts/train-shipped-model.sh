#!/bin/sh
# Makes weights/raven-cpu-64.safetensors again, from nothing: every run that led to it, in order.
# Two CPU cores, overnight. Interrupt it whenever you like and start it again: it goes on where it was.
#
# The parts of the model are taught one after the other, as what a panel shows is known to whoever drew it:
# the experts from values alone, the encoder with them, the writer from values and rules, the decoder from values.
set -eu
cd "$(dirname "$0")/.."
export MIMALLOC_PURGE_DELAY=-1   # freed memory is kept instead of given back and faulted in again

# The encoder's and experts' first 228,000 puzzles, with the decoder and writer of that version (both start anew below).
earlier=runs/earlier
[ -e "$earlier" ] || git worktree add "$earlier" a6388ff
(cd "$earlier" && scripts/train-shipped-model.sh)

cargo build --release -p genvp
w=train.loss.weights
latest() { echo "$1/checkpoints/$(cat "$1/latest")"; }
stage() {  # RUN, what it begins from, then its settings; goes on with a run that is there
    out=$1 from=$2 && shift 2
    if [ -e "$out/config.toml" ]; then set -- "$@" --resume; else set -- "$@" --init-from "$from"; fi
    target/release/genvp train --preset cpu-64 --out "$out" --set train.keep.pictures_every=0 \
      --set train.validation.puzzles=60 --set train.validation.every=80000 "$@"
}

# Experts: rules from the values that panels are known to have. No pixels.
stage runs/experts "$earlier/weights/raven-cpu-64.safetensors" --puzzles 450000 --set train.seed=13 --set train.batch=32 \
  --set train.learning_rate=2e-3 --set 'train.fresh=["decoder","writer"]' --set 'train.only=["experts"]' \
  --set train.loss.blind=true --set $w.reconstruction=0 --set $w.z_irrelevant=0 --set $w.z_o=0 --set $w.values=0 \
  --set train.feed.layouts.3x3=4 --set train.feed.layouts.2x2=2 --set train.feed.layouts.o-ig=2

# Encoder and experts together: rules from what the encoder sees.
stage runs/sight "$(latest runs/experts)" --puzzles 160000 --set train.seed=14 --set train.learning_rate=1e-3 \
  --set 'train.only=["encoder","experts"]' --set $w.reconstruction=0 --set $w.z_o=0 \
  --set train.feed.layouts.3x3=4 --set train.feed.layouts.2x2=1.5 --set train.feed.layouts.o-ig=3

# Writer: p(Z_o|Z_r). No pixels.
write() { stage "$@" --set train.batch=128 --set 'train.only=["writer"]' --set train.loss.contrast=none \
  --set $w.reconstruction=0 --set $w.z_irrelevant=0 --set $w.z_r=0 --set $w.supervised=0 --set $w.values=0 \
  --set train.validation.every=100000000; }
write runs/writer "$(latest runs/sight)" --puzzles 900000 --set train.seed=11 --set train.learning_rate=3e-3
write runs/more-writing "$(latest runs/writer)" --puzzles 900000 --set train.seed=17 --set train.learning_rate=2e-3 \
  --set train.feed.layouts.2x2=2 --set train.feed.layouts.3x3=3 --set train.feed.layouts.o-ig=2

# Decoder: p(X|Z), on scenes that no puzzle need have.
draw() { stage "$@" --set 'train.only=["decoder"]' --set train.feed.free_scenes=true --set train.loss.contrast=none \
  --set $w.z_irrelevant=0 --set $w.z_o=0 --set $w.z_r=0 --set $w.supervised=0 --set $w.values=0 \
  --set train.validation.every=100000000; }
draw runs/decoder "$(latest runs/experts)" --puzzles 280000 --set train.seed=12 --set train.learning_rate=2e-3
draw runs/more-drawing "$(latest runs/decoder)" --puzzles 120000 --set train.seed=18 --set train.learning_rate=1.2e-3 \
  --set train.feed.layouts.3x3=4 --set train.feed.layouts.2x2=2 --set train.feed.layouts.o-ig=3 \
  --set train.feed.layouts.c-s=0.5

# Posterior: the encoder's Z_o-bar by the evidence bound, with that decoder. (For the weights in the box the decoder
# was taken after 260,000 of its first 280,000 puzzles: both runs went on at once.)
export_run() { cargo run --release -p genvp-train --example export -- "$@"; }
export_run runs/sight runs/sight/with-decoder.safetensors 20 decoder=runs/decoder writer=runs/writer
stage runs/posterior runs/sight/with-decoder.safetensors --puzzles 60000 --set train.seed=16 --set train.learning_rate=7e-4 \
  --set 'train.only=["encoder"]' --set train.feed.untold=true --set $w.z_o=0 --set $w.z_r=0 \
  --set train.feed.layouts.3x3=3 --set train.feed.layouts.2x2=2 --set train.feed.layouts.o-ig=2

export_run runs/posterior runs/raven-cpu-64.safetensors 500 decoder=runs/more-drawing writer=runs/more-writing
# The same with a digest inside, so that a changed file is noticed.
target/release/genvp model export runs/raven-cpu-64.safetensors --out weights --force
