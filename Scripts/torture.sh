#!/usr/bin/env bash
# Takes the built tool through power losses, failing calls, kills and hostile files (Tests/Torture).
#
# usage: torture.sh REPLAY [--short]    # short: some minutes, as CI has it; else hours
set -euo pipefail
cd "$(dirname "$0")/.."
replay=$1
seed=${SEED:-$(date +%s)}
if ! command -v python3 >/dev/null 2>&1; then
    echo "torture: needs Python 3.11; run: sudo apt-get install python3" >&2
    [ "${2:-}" = --short ] && exit 0
    exit 69
fi
if [ "${2:-}" = --short ]; then
    images="--images 300" faults="--quick" processes="--seconds 30" machine="--sequences 4" elsewhere="--count 150"
else
    images="--images 10000" faults="" processes="--seconds 1800" machine="--sequences 300" elsewhere="--count 0"
fi
status=0
# shellcheck disable=SC2086 # several words each
for run in "images.py $images" "faults.py $faults" "processes.py $processes" "machine.py $machine" \
    "elsewhere.py $elsewhere"; do
    echo "torture: ${run%% *}, seed $seed"
    python3 Tests/Torture/$run --replay "$replay" --seed "$seed" || status=1
done
exit "$status"
