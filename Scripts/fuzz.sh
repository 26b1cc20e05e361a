#!/usr/bin/env bash
# Hands hostile bytes to everything that reads what others may have written (Tests/Fuzz, libFuzzer), for so
# many seconds a target. Ends with a table; exit 1 if there is a finding, whose input then lies in
# .build/fuzz-found: mend what it found, and keep the input in Tests/Fuzz/Found/TARGET, which the tests run.
#
# usage: fuzz.sh [SECONDS [TARGET...]]   20 seconds for each of all targets
#        fuzz.sh --seeds                 makes the seeds again, of what the program writes now
set -uo pipefail
cd "$(dirname "$0")/.."
swift=${SWIFT:-swift}
found=.build/fuzz-found
grown=.build/fuzz-corpora

resources=$("$swift" -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')
library=$(ls "$resources"/clang/lib/*/libclang_rt.fuzzer_no_main-"$(uname -m)".a \
    "$resources"/clang/lib/*/libclang_rt.fuzzer_no_main.a 2>/dev/null | head -n 1)
if [ -z "$library" ]; then
    echo "fuzz: this Swift has no libFuzzer (looked in $resources/clang/lib); take the toolchain of swift.org" >&2
    exit 69
fi
# A place of its own: everything is built with other options than usual.
build=("$swift" build -c release --scratch-path .build/fuzz --product fuzz ${FUZZ_BUILD_FLAGS:-})
SIJILL_FUZZER=$library "${build[@]}" >&2 || exit 69
fuzz=$(SIJILL_FUZZER=$library "${build[@]}" --show-bin-path)/fuzz

shared=$([ -w /dev/shm ] && echo /dev/shm || echo "${TMPDIR:-/tmp}")
SIJILL_FUZZ_SCRATCH=$(mktemp -d "$shared/sijill-fuzz.XXXXXX")
trap 'rm -rf "$SIJILL_FUZZ_SCRATCH"' EXIT
export SIJILL_FUZZ_SCRATCH
# A trap ends the process at once, and libFuzzer says where; freed memory is not kept back for long, since
# what a process holds is bounded.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=8:detect_leaks=0

if [ "${1:-}" = --seeds ]; then
    exec "$fuzz" --seeds Tests/Fuzz/Corpus
fi
seconds=${1:-20}
shift
mkdir -p "$found"
status=0
lines=()
while read -r target longest; do
    [ $# = 0 ] || [[ " $* " == *" $target "* ]] || continue
    mkdir -p "$grown/$target"
    corpora=("$grown/$target" "Tests/Fuzz/Corpus/$target")
    [ -d "Tests/Fuzz/Found/$target" ] && corpora+=("Tests/Fuzz/Found/$target")
    log=$found/$target.log
    "$fuzz" "$target" -max_total_time="$seconds" -timeout=5 -rss_limit_mb=1024 \
        -malloc_limit_mb=1024 -max_len="$longest" -detect_leaks=0 -print_final_stats=1 \
        -artifact_prefix="$found/$target-" "${corpora[@]}" >"$log" 2>&1 </dev/null
    code=$?
    executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 | cut -d' ' -f2)
    result=sound
    if [ $code != 0 ]; then
        status=1
        result=$(grep -m 1 -oE 'Fatal error: .*|Swift runtime failure: [^/]*|SUMMARY: .*' "$log")
        result="FOUND: ${result:-exit code $code} ($log)"
    fi
    line=$(printf '%-10s %10s executions %7s edges  %s' "$target" "${executions:-?}" "${edges:-?}" "$result")
    echo "$line"
    lines+=("$line")
done < <("$fuzz" --list)
printf '%s\n' "${lines[@]}" | awk -v seconds="$seconds" '
    { total += $2; if (/FOUND/) found++ }
    END { printf "fuzz: %d targets, %d s each, %d executions, %d with a finding\n", NR, seconds, total, found }'
exit $status
