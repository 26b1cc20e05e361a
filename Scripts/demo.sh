#!/bin/sh
# Plays 1,000 people's answers to five items of the LSAT into a fresh journal, shows what came of
# them beside the published figures, and proves the journal whole.
#
# usage: demo.sh REPLAY [DIRECTORY]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
replay=$1
journal=${2:-$here/demo-journal}
commands=$(mktemp)
outcomes=$(mktemp)
trap 'rm -f "$commands" "$outcomes"' EXIT

say() { printf '\n%s\n' "$*"; }
now() { date +%s%N; }
# The numbers that follow a name in a JSON document, one a line.
values() { grep -o "\"$1\":[0-9.]*" | cut -d: -f2; }

say "1. Real input: answers of 1,000 people to section 6 of the Law School Admission Test"
echo "   (R. D. Bock and M. Lieberman, Psychometrika 35, 1970)"
awk -f "$here/Examples/lsat/commands.awk" "$here/Examples/lsat/lsat6.csv" >"$commands"
echo "   $(wc -l <"$commands") commands: an admin, an exam of five questions, 1,000 students, 1,000 attempts"

say "2. Submitting them to a fresh journal"
rm -rf "$journal"
"$replay" init --journal "$journal" >/dev/null
began=$(now)
"$replay" submit --journal "$journal" --json --clock 2026-02-08T00:00:00Z "$commands" >"$outcomes"
ended=$(now)
accepted=$(grep -c '"status":"accepted"' "$outcomes" || true)
events=$("$replay" stats --journal "$journal" --json | values events | head -n 1)
echo "   $accepted commands accepted, $events events recorded"

say "3. Question statistics beside the published figures (per cent right)"
"$replay" show examroom.exam-analytics LSAT-6 --journal "$journal" --json >"$outcomes"
echo "   question  here   published"
values correctRate <"$outcomes" | awk '
    BEGIN { split("92.4 70.9 55.3 76.3 87", published) }
    { printf "   Q%d        %-6s %s%s\n", NR, $1, published[NR], ($1 == published[NR] ? "" : "   DIFFERS") }'
values count <"$outcomes" | awk '
    NR == 1 { none = $1 }
    { last = $1 }
    END {
        printf "   all five right: %d (published: 298)%s\n", last, (last == 298 ? "" : "   DIFFERS")
        printf "   none right:     %d (published: 3)%s\n", none, (none == 3 ? "" : "   DIFFERS")
    }'

say "4. How the scores are spread (per cent, number of people)"
grep -o '{"count":[0-9]*,"from":[0-9]*,"to":[0-9]*}' "$outcomes" | tr -c '0-9\n' ' ' | awk '
    {
        bar = ""
        for (i = 0; i < $1 / 8; i++) bar = bar "#"
        printf "   %3d to %3d  %4d  %s\n", $2, $3, $1, bar
    }'

say "5. The leaderboard, and what it looked like halfway (--as-of 2026-02-04T00:00:00Z)"
board() {
    "$replay" show examroom.leaderboard points --journal "$journal" --json "$@" |
        grep -o '"name":"[^"]*","points":[0-9]*,"rank":[0-9]*' | head -n 5 |
        sed 's/"name":"\([^"]*\)","points":\([0-9]*\),"rank":\([0-9]*\)/   \3. \1: \2 points/'
}
total() {
    "$replay" show examroom.leaderboard points --journal "$journal" --json "$@" | values total
}
echo "   at the end: $(total) people"
board
echo "   halfway: $(total --as-of 2026-02-04T00:00:00Z) people"
board --as-of 2026-02-04T00:00:00Z

say "6. Proving the journal whole"
"$replay" rebuild --check --journal "$journal" --json 2>"$commands" | grep -o '^{"differences":\[\],"digest":"[0-9a-f]*"' |
    sed 's/.*"digest":"\([0-9a-f]*\)"/   every read model made again from the first event, digest \1: equal/'
"$replay" verify --journal "$journal" --json 2>/dev/null |
    grep -q '"whole":true' && echo "   every record, index, position and revision checked: whole"

bytes=$("$replay" stats --journal "$journal" --json | values frameBytesPerEvent)
file=$("$replay" stats --journal "$journal" --json | values bytesPerEvent)
say "7. On this machine"
echo "   appended: $(awk -v e="$events" -v t=$((ended - began)) 'BEGIN { printf "%d", e / (t / 1e9) }') events/s, commands decided and durable, one process"
sed -n 's/^.*folded \(.*\)$/   replayed: \1/p' "$commands"
echo "   an event takes $bytes bytes in its frame, $file with tables and indexes"
