#!/bin/sh
# Makes weights/raven-cpu-64.safetensors again, from nothing: every run that led to it, in order.
# Two CPU cores, overnight. Interrupt it whenever you like and start it again: it goes on where it was.
#
# The parts of the model are taught one after the other, as what a panel shows is known to whoever drew it.
set -eu
cd "$(dirname "$0")/.."
export MIMALLOC_PURGE_DELAY=-1   # freed memory is kept instead of given back and faulted in again

# Encoder and experts, and most of the writer, as an earlier version taught them: its own script says how.
# Its decoder and its network for slots are not used; both start anew below.
earlier=runs/earlier
[ -e "$earlier" ] || git worktree add "$earlier" 1fe9fdd
[ -e runs/earlier.done ] || { (cd "$earlier" && scripts/train-shipped-model.sh) && touch runs/earlier.done; }
first="$earlier/weights/raven-cpu-64.safetensors"

cargo build --release -p genvp -p genvp-train --bins --examples
w=train.loss.weights
stage() {  # RUN, what it begins from, then its settings; goes on with a run that is there
    out=$1 from=$2 && shift 2
    if [ -e "$out/config.toml" ]; then set -- "$@" --resume; else set -- "$@" --init-from "$from"; fi
    target/release/genvp train --preset cpu-64 --out "$out" --set train.keep.pictures_every=0 \
      --set train.validation.puzzles=8 --set train.validation.every=100000000 --set train.loss.contrast=none \
      --set $w.z_irrelevant=0 --set $w.z_r=0 --set $w.supervised=0 --set $w.values=0 "$@"
}
anew='train.fresh=["decoder","writer.groups.0"]'

# Writer: p(Z_o|Z_r). No pixels.
stage runs/writer "$first" --puzzles 1400000 --set train.seed=21 --set train.batch=128 --set train.learning_rate=2e-3 \
  --set "$anew" --set 'train.only=["writer"]' --set $w.reconstruction=0 \
  --set train.feed.layouts.2x2=3 --set train.feed.layouts.3x3=5 --set train.feed.layouts.o-ig=3

# Decoder: p(X|Z), on scenes that no puzzle need have.
stage runs/decoder "$first" --puzzles 450000 --set train.seed=12 --set train.batch=16 --set train.learning_rate=2e-3 \
  --set "$anew" --set 'train.only=["decoder"]' --set train.feed.free_scenes=true --set $w.z_o=0 \
  --set train.feed.layouts.c-s=0.7 --set train.feed.layouts.2x2=1.5 --set train.feed.layouts.3x3=3 \
  --set train.feed.layouts.o-ic=1.5 --set train.feed.layouts.o-ig=3

target/release/examples/export runs/writer runs/both.safetensors 20 decoder=runs/decoder

# Writer once more, mostly on grids.
stage runs/more-writing runs/both.safetensors --puzzles 1000000 --set train.seed=22 --set train.batch=128 \
  --set train.learning_rate=1.5e-3 --set 'train.only=["writer"]' --set $w.reconstruction=0 \
  --set train.feed.layouts.c-s=0.5 --set train.feed.layouts.l-r=0.5 --set train.feed.layouts.u-d=0.5 \
  --set train.feed.layouts.o-ic=0.5 --set train.feed.layouts.2x2=3 --set train.feed.layouts.3x3=6 --set train.feed.layouts.o-ig=3

target/release/examples/export runs/more-writing runs/raven-cpu-64.safetensors 500
# The same with a digest inside, so that a changed file is noticed.
target/release/genvp model export runs/raven-cpu-64.safetensors --out weights --force
