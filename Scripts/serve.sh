#!/bin/sh
# Serves a demo journal on this machine; makes it from the example scenarios if there is none (of ExamRoom's alone where
# there is no python3).
#
# usage: serve.sh BIN-DIRECTORY [OPTION-OF-SIJILLD...]
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
bin=$1
shift
journal=${SIJILL_JOURNAL:-$here/serve-journal}
if [ ! -e "$journal/FORMAT" ] && command -v python3 >/dev/null 2>&1; then
    "$here/Scripts/console-journal.py" "$bin/replay" "$journal"
elif [ ! -e "$journal/FORMAT" ]; then
    commands=$(mktemp)
    trap 'rm -f "$commands"' EXIT
    awk -f "$here/Examples/lsat/commands.awk" "$here/Examples/lsat/lsat6.csv" >"$commands"
    "$bin/replay" init --journal "$journal" >/dev/null
    "$bin/replay" submit --journal "$journal" --json --clock 2026-02-08T00:00:00Z "$commands" >/dev/null
    rm -f "$commands"
    trap - EXIT
fi
# What the console's audit page signs checkpoints with.
if [ -z "${SIJILL_LOG_KEY:-}" ]; then
    SIJILL_LOG_KEY=$journal.key
    export SIJILL_LOG_KEY
    [ -e "$SIJILL_LOG_KEY" ] || "$bin/replay" key new "$SIJILL_LOG_KEY" --name localhost/demo >/dev/null
fi
port=${SIJILL_HTTP_PORT:-8180}
echo "The answers of 1,000 people to five items of the LSAT, at http://127.0.0.1:$port/ui; Ctrl-C ends it. Or try:"
echo "  curl http://127.0.0.1:$port/v1/models/examroom.result/AT-0500"
SIJILL_JOURNAL=$journal SIJILL_HTTP_PORT=$port SIJILL_LOG_FORM=${SIJILL_LOG_FORM:-text} exec "$bin/sijilld" "$@"
