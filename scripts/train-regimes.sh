#!/usr/bin/env bash
# A model for every regime of PGM and VAD but the two that the models in the box are for, each trained under the
# condition of its own regime's training, and how well it answers its regime's test.
#   scripts/train-regimes.sh [REGIME...]        as pgm:interpolation, vad:extrapolation; all eleven unless some are named
#   GENVP=target/release/genvp  RUNS=runs/regimes  EXAM=500 (puzzles of the evaluation seed)  THREADS=all cores
#   SHORTEN=100 divides all numbers of puzzles by 100, to see that everything works
#
# Work is shared where no condition is broken by it. The regimes that hold out triples, pairs or attributes share a
# reader and experts, taught on puzzles that the training of every one of these regimes allows (train.feed.allowed_in);
# then each goes on alone; their networks are not told which attribute they look at, so that relations are known on attributes
# where training never has them. Interpolation and extrapolation hold out values, and have readers and experts of their own;
# the readers read sizes and greys on scales. VAD's readers begin with those of PGM. Everybody is taught the true values
# of panels and rule labels (docs/training.md).
# It can be interrupted and started again: it goes on where it was.
set -euo pipefail
cd "$(dirname "$0")/.."
genvp=${GENVP:-target/release/genvp} runs=${RUNS:-runs/regimes} exam=${EXAM:-500} threads=${THREADS:-$(nproc)}
all=(pgm:attrs.line.type pgm:attrs.shape.color pgm:attrs.pairs pgm:attr.rels pgm:attr.rel.pairs
    pgm:interpolation pgm:extrapolation vad:interpolation vad:extrapolation
    vad:novel.target.domain.line.type vad:novel.target.domain.shape.color)
[ $# -gt 0 ] || set -- "${all[@]}"
mkdir -p "$runs"
w=train.loss.weights
allowed_pgm='["attrs.line.type","attrs.shape.color","attrs.pairs","attr.rels"]'
allowed_vad='["novel.target.domain.line.type","novel.target.domain.shape.color"]'

# RUN, family, puzzles, seed, what it begins from (- for nothing), settings. Does nothing where the run's weights are there.
stage() {
    local run=$runs/$1 family=$2 puzzles=$(($3 / ${SHORTEN:-1})) seed=$4 from=$5
    shift 5
    [ -e "$run.safetensors" ] && return
    if [ -e "$run/latest" ]; then set -- "$@" --resume; elif [ "$from" != - ]; then set -- "$@" --init-from "$runs/$from.safetensors"; fi
    "$genvp" train --preset "$family-cpu-64" --out "$run" --puzzles "$puzzles" --threads "$threads" --set "train.seed=$seed" \
        --set train.validation.every=100000000 --set train.ema_decay=0.99 "$@"
    "$genvp" model export "$run" --examine 0 --out "$run.safetensors"
}
reader() { stage "$@" --set train.loss.contrast=none --set $w.supervised=0 --set 'train.only=["reader"]'; }
experts() { stage "$@" --set train.loss.symbolic_only=true --set $w.values=0 --set 'train.only=["experts"]' \
    --set train.learning_rate=3e-3; }
joint() { stage "$@" --set train.learning_rate=1e-3; }

untold=(--set model.experts.tells_attribute=false)
anew='train.fresh=["experts"]'

# family, seed: a reader and then experts for all regimes of the family that hold out no values.
shared() {
    local family=$1 seed=$2 first=attr.rel.pairs allowed=$allowed_pgm
    [ "$family" = pgm ] || first=novel.domain.transfer allowed=$allowed_vad
    local condition=("${untold[@]}" --set "train.feed.regimes=[\"$first\"]" --set "train.feed.allowed_in=$allowed")
    if [ "$family" = pgm ]; then
        reader pgm-reader pgm 30000 "$seed" - "${condition[@]}"
    else
        shared pgm 401
        reader vad-reader vad 10000 "$seed" pgm-reader --set "$anew" "${condition[@]}"
    fi
    experts "$family-experts" "$family" 8000 $((seed + 1)) "$family-reader" "${condition[@]}"
}

# family, regime, seed: the same for a regime that holds out values.
of_values() {
    local family=$1 regime=$2 seed=$3
    local scales=(--regime "$regime" --set model.reader.ordered=true)
    if [ "$family" = pgm ]; then
        experts "pgm-$regime-experts" pgm 10000 $((seed + 1)) - --regime "$regime"
        reader "pgm-$regime-reader" pgm 20000 "$seed" "pgm-$regime-experts" --set 'train.fresh=["reader"]' "${scales[@]}"
    else
        of_values pgm "$regime" $((seed - 100))
        reader "vad-$regime-reader" vad 10000 "$seed" "pgm-$regime-reader" --set "$anew" "${scales[@]}"
        experts "vad-$regime-experts" vad 8000 $((seed + 1)) "vad-$regime-reader" "${scales[@]}"
    fi
}

for regime in "$@"; do
    family=${regime%%:*} name=${regime#*:} seed=601
    for other in "${all[@]}"; do [ "$other" = "$regime" ] && break; seed=$((seed + 1)); done
    case $regime in
    pgm:interpolation) of_values pgm "$name" 411 ;;
    pgm:extrapolation) of_values pgm "$name" 421 ;;
    vad:interpolation) of_values vad "$name" 511 ;;
    vad:extrapolation) of_values vad "$name" 521 ;;
    pgm:attr*) shared pgm 401 ;;
    vad:novel.target.*) shared vad 501 ;;
    *) echo "error: $regime is not among pgm:attrs.line.type, … (see the beginning of this script)" >&2; exit 2 ;;
    esac
    case $regime in
    pgm:*polation) joint "pgm-$name" pgm 4000 "$seed" "pgm-$name-reader" --regime "$name" --set model.reader.ordered=true ;;
    vad:*polation) joint "vad-$name" vad 4000 "$seed" "vad-$name-experts" --regime "$name" --set model.reader.ordered=true ;;
    *) joint "$family-$name" "$family" 4000 "$seed" "$family-experts" --regime "$name" "${untold[@]}" ;;
    esac
    mkdir -p "$runs/$family"
    cp "$runs/$family-$name.safetensors" "$runs/$family/$name.safetensors"
    "$genvp" eval "$family" --regime "$name" --model "$runs/$family/$name.safetensors" -n "$exam" --threads "$threads" --json
done
echo "all of them in a table: genvp eval pgm|vad --models $runs/pgm|$runs/vad --compare paper"
