#!/bin/sh
# Teaches the model in the box from nothing, in one pass: runs/raven-cpu-64.safetensors.
# Two CPU cores, overnight. Interrupt it whenever you like and start it again: it goes on where it was.
# SHORTEN=1000 divides the puzzles of every stage by 1000, to see that all of it works.
#
# The parts of the model are taught one after the other, as what a panel shows is known to whoever drew it:
# the experts from values alone, the encoder with them, the decoder and the writer from values.
#
# What cannot be repeated bit for bit: weights/raven-cpu-64.safetensors came out of the same stages, seeds and
# numbers of puzzles in another history. Its first two runs had networks of earlier versions for decoder and writer
# (dropped since, but the encoder learned beside them); its first run was stopped by hand after 168,240 of 300,000
# puzzles; its encoder's last run went by a decoder that is no longer there; its writer's first run was stopped by
# hand after 440,960 of 1,200,000 puzzles, and the writer got a new network for slots between its first two runs. So
# expect weights that are about as good, not the same ones: weights/raven-cpu-64.md has their figures to compare with.
set -eu
cd "$(dirname "$0")/.."
export MIMALLOC_PURGE_DELAY=-1   # freed memory is kept instead of given back and faulted in again
cargo build --release -p genvp
genvp=${CARGO_TARGET_DIR:-target}/release/genvp runs=${RUNS:-runs}

w=train.loss.weights
few() { n=$(($1 / ${SHORTEN:-1})); echo $((n > 1 ? n : 1)); }
latest() { echo "$runs/$1/checkpoints/$(cat "$runs/$1/latest")"; }
stage() {  # RUN, puzzles, seed, what it begins from (- for nothing), then its settings; goes on with a run that has a checkpoint
    out=$runs/$1 puzzles=$(few "$2") seed=$3 from=$4 && shift 4
    if [ -e "$out/latest" ]; then set -- "$@" --resume; elif [ "$from" != - ]; then set -- "$@" --init-from "$from"; fi
    "$genvp" train --preset cpu-64 --out "$out" --puzzles "$puzzles" --set "train.seed=$seed" \
      --set train.keep.pictures_every=0 --set "train.validation.puzzles=$(few 60)" "$@"
}

# Everything at once, twice; grids more often the second time.
stage first 168240 1 - --set train.validation.every=30000
stage second 60000 2 "$(latest first)" --set train.learning_rate=1.2e-3 --set train.validation.every=60000 \
  --set train.feed.layouts.3x3=3 --set train.feed.layouts.2x2=1.5 --set train.feed.layouts.o-ig=2

# Experts: rules from the values that panels are known to have. No pixels. Decoder and writer start anew.
stage experts 450000 13 "$(latest second)" --set train.batch=32 --set train.learning_rate=2e-3 \
  --set 'train.fresh=["decoder","writer"]' --set 'train.only=["experts"]' --set train.validation.every=80000 \
  --set train.loss.symbolic_only=true --set $w.reconstruction=0 --set $w.z_irrelevant=0 --set $w.z_o=0 --set $w.values=0 \
  --set train.feed.layouts.3x3=4 --set train.feed.layouts.2x2=2 --set train.feed.layouts.o-ig=2

# Encoder and experts together: rules from what the encoder sees.
stage sight 160000 14 "$(latest experts)" --set train.learning_rate=1e-3 --set train.validation.every=80000 \
  --set 'train.only=["encoder","experts"]' --set $w.reconstruction=0 --set $w.z_o=0 \
  --set train.feed.layouts.3x3=4 --set train.feed.layouts.2x2=1.5 --set train.feed.layouts.o-ig=3

# One part from values: nothing but its own term, and no examination before the end.
part() { stage "$@" --set train.validation.every=100000000 --set train.loss.contrast=none \
  --set $w.z_irrelevant=0 --set $w.z_r=0 --set $w.supervised=0 --set $w.values=0; }

# Decoder: p(X|Z), on scenes that no puzzle need have.
part decoder 450000 12 "$(latest experts)" --set train.learning_rate=2e-3 \
  --set 'train.only=["decoder"]' --set train.feed.free_scenes=true --set $w.z_o=0 \
  --set train.feed.layouts.c-s=0.7 --set train.feed.layouts.2x2=1.5 --set train.feed.layouts.3x3=3 \
  --set train.feed.layouts.o-ic=1.5 --set train.feed.layouts.o-ig=3

# Posterior: the encoder's Z_o-bar by the evidence bound, with that decoder held still.
[ -e "$runs/with-decoder.safetensors" ] || "$genvp" model export "$(latest sight)" --part "decoder=$(latest decoder)" \
  --examine 0 --out "$runs/with-decoder.safetensors"
stage posterior 60000 16 "$runs/with-decoder.safetensors" --set train.learning_rate=7e-4 --set train.validation.every=80000 \
  --set 'train.only=["encoder"]' --set train.feed.learned_irrelevant=true --set $w.z_o=0 --set $w.z_r=0 \
  --set train.feed.layouts.3x3=3 --set train.feed.layouts.2x2=2 --set train.feed.layouts.o-ig=2

# Writer: p(Z_o|Z_r), told the parameters of rules, in three runs, grids more and more often. No pixels.
write() { part "$@" --set train.batch=128 --set 'train.only=["writer"]' --set $w.reconstruction=0; }
write writer-1 440960 41 "$(latest sight)" --set train.learning_rate=3e-3 \
  --set train.feed.layouts.2x2=2 --set train.feed.layouts.3x3=3 --set train.feed.layouts.o-ig=2
write writer-2 500000 42 "$(latest writer-1)" --set train.learning_rate=3e-3 \
  --set train.feed.layouts.2x2=3 --set train.feed.layouts.3x3=5 --set train.feed.layouts.o-ig=3
write writer-3 400000 43 "$(latest writer-2)" --set train.learning_rate=2e-3 \
  --set train.feed.layouts.2x2=4 --set train.feed.layouts.3x3=5 --set train.feed.layouts.o-ig=4

# The end of every run, as in the stages above: no checkpoint is chosen by its examinations.
# Settings were chosen by imagining from fresh rule matrices, too; of its seeds these are known.
"$genvp" model export "$(latest posterior)" --part "decoder=$(latest decoder)" --part "writer=$(latest writer-3)" \
  --settings-seeds 11,1234,4321 --taught-with "the true values of every panel and rule labels; encoder and experts, which answer: \
448,000 fresh puzzles with pixels and 450,000 as values only, RAVEN and I-RAVEN choices 1:1; decoder and writer, which draw: 450,000 \
scenes and 1,341,000 puzzles as values" --examine "$(few 500)" --out "$runs/raven-cpu-64.safetensors" --force
