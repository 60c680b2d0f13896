#!/bin/sh
# Proves that two builds of genvp give users the same: datasets byte for byte, JSON outputs line for line,
# the answers of the weights in the box, and every tensor after 20 training steps.
#
#   scripts/compare-builds.sh OLD NEW [FOLDER-OF-THE-ORIGINALS]
#
# OLD and NEW are genvp executables. Ends with 0 and "same" when nothing differs, with 1 and the list of what does.
set -eu
old=$(realpath "$1") new=$(realpath "$2") originals=${3:-${GENVP_ORIGINALS:-}}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
differences=0

differs() { echo "DIFFERS: $1"; differences=$((differences + 1)); }

# Compares standard output and exit status of both, but not "seconds" and "per_second", which vary between runs.
# A command that the old build refuses would compare nothing, so it counts as a difference.
also=
same_output() {
    what=$1 && shift
    for side in old new; do
        eval "program=\$$side"
        status=0
        (cd "$work/$side" && "$program" --no-progress -q "$@" >"$work/$side.out" 2>"$work/$side.err" </dev/null) || status=$?
        sed -E 's/"(seconds|per_second)":[0-9.e+-]+/"\1":_/g'"$also" "$work/$side.out" >"$work/$side.txt"
        echo "exit $status" >>"$work/$side.txt"
        [ $side = new ] || [ $status -eq 0 ] || differs "$what: the old build ends with $status: $(tail -1 "$work/old.err")"
    done
    cmp -s "$work/old.txt" "$work/new.txt" || differs "$what: genvp $*"
}

same_files() {
    diff -rq "$work/old/$1" "$work/new/$1" >"$work/diff.txt" || { differs "files of $1"; head -5 "$work/diff.txt"; }
}

mkdir "$work/old" "$work/new"

for set in raven iraven raven-fair; do
    same_output "making" dataset make $set -n 12 --seed 5 --out $set --json
    same_files $set
    for variant in angle-i color-i size-i size-e; do
        same_output "making" dataset make $set -n 5 --seed 6 --ood $variant --out $set-$variant --json
        same_files $set-$variant
    done
    same_output "making" dataset make $set --layout 2x2,3x3,o-ig -n 5 --seed 7 --uniform --out $set-uniform --json
    same_files $set-uniform
    same_output "making" dataset make $set -n 8 --seed 8 --faithful --out $set-faithful --json
    same_files $set-faithful
    same_output "making parquet" dataset make $set --layout c-s,o-ig -n 6 --seed 9 --format parquet --out $set-parquet --json
    same_files $set-parquet
    same_output "checking" dataset check $set --json
    same_output "counting" dataset stats $set --json
    same_output "solving" solve $set --json
    same_output "solving exactly" solve --exact $set --json
    same_output "explaining" solve $set/distribute_nine --explain --json
done
for held_out in cs-held-out:c-s o-ic-held-out:o-ic; do
    same_output "making" dataset make raven --layout "${held_out#*:}" -n 8 --ood "${held_out%:*}" --out "${held_out%:*}" --json
    same_files "${held_out%:*}"
done
same_output "asking for rules" dataset make raven --layout 3x3 -n 5 --rule "number=arithmetic:+ color=progression:-1" --out asked --json
same_files asked
same_output "naming rules" rules raven/center_single/RAVEN_0_train.npz --json
for layout in c-s 3x3 o-ig; do
    same_output "imagining" imagine --layout $layout -n 2 --seed 3 --out imagined-$layout --json
    same_files imagined-$layout
done
same_output "completing" complete raven/distribute_four/RAVEN_8_test.npz --samples 3 --seed 4 --out completed --json
same_files completed
same_output "measuring" eval solve -n 6 --seed 12 --json
same_output "measuring rules" eval rules -n 6 --seed 12 --json
# The last digits of distances between values varied from run to run in builds before this script.
also='; s/(\.[0-9]{12})[0-9]+/\1/g'
same_output "measuring imagination" eval coherence --layout all -n 3 --seed 12 --json
also=
for preset in cpu-64 paper-64 raven-rules-64 pgm-cpu-64; do
    same_output "counting parameters" model params --preset $preset --json
done
same_output "solving by rule labels" solve raven --model raven-rules-64 --json
same_output "converting to parquet" dataset convert raven/center_single --to parquet --out converted
same_files converted

for regime in pgm:neutral pgm:attr.rels pgm:extrapolation vad:novel.domain.transfer vad:interpolation; do
    family=${regime%%:*} name=${regime#*:} out=$(echo $regime | tr : -)
    same_output "making $family" dataset make $family --regime $name -n 6 --seed 5 --out $out --json
    same_files $out
    same_output "checking $family" dataset check $out --json
    same_output "counting $family" dataset stats $out --json
    same_output "solving $family exactly" solve --exact $out --json
    same_output "converting $family" dataset convert $out --to parquet --out $out-parquet
    same_files $out-parquet
done
same_output "solving pgm" solve pgm-neutral --json
same_output "measuring pgm" eval pgm -n 6 --seed 12 --json

if [ -n "$originals" ] && [ -d "$originals" ]; then
    for set in RAVEN I-RAVEN RAVEN-F; do
        same_output "answers on the originals" solve "$originals/$set" --json
    done
else
    echo "skipped: the original programs' puzzles (name their folder as the third argument)"
fi

# Twenty steps from nothing; then the new build opens the old one's run and its weights.
for preset in cpu-64 paper-64 raven-rules-64 pgm-cpu-64; do
    few="--preset $preset --puzzles 80 --set train.batch=4 --set train.keep.pictures_every=0 --set train.validation.puzzles=2 --set train.validation.every=100000"
    for side in old new; do
        eval "program=\$$side"
        (cd "$work/$side" && "$program" --no-progress -q train $few --out run-$preset >/dev/null 2>"$work/$side.err") || differs "training $preset with the $side build: $(tail -1 "$work/$side.err")"
    done
    python3 "$here/compare_tensors.py" "$work/old/run-$preset" "$work/new/run-$preset" || differs "tensors after 20 steps of $preset"
    "$new" --no-progress -q train --out "$work/old/run-$preset" --resume >/dev/null 2>"$work/new.err" || differs "resuming $preset: $(tail -1 "$work/new.err")"
    checkpoint=$(ls "$work/old/run-$preset"/checkpoints/step-*.safetensors | tail -1)
    for side in old new; do
        eval "program=\$$side"
        "$program" --no-progress -q train $few --init-from "$checkpoint" --out "$work/$side/from-$preset" >/dev/null 2>"$work/$side.err" || differs "beginning from the old $preset with the $side build: $(tail -1 "$work/$side.err")"
    done
    python3 "$here/compare_tensors.py" "$work/old/from-$preset" "$work/new/from-$preset" || differs "tensors after 20 steps from the old $preset"
done

if [ $differences -eq 0 ]; then echo same; else echo "$differences differences"; exit 1; fi
