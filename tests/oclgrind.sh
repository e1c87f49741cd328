#!/bin/sh
# SPDX-License-Identifier: MIT
# The engine's numeric tests, small, under Oclgrind: oclgrind.sh [--shard I/N]
# Filters singly: the chains run the same kernels, and take as long again.
# Oclgrind always ends with 0, whatever the program did: its log has to be empty, and the program must
# have come to its end.
set -u
: "${BUILD:?}"
log=$(mktemp) out=$(mktemp)
trap 'rm -f "$log" "$out"' EXIT

oclgrind --data-races --uninitialized --check-api --log "$log" "$BUILD/tests/numeric" --small --singly "$@" >"$out" 2>&1
grep -v '^[0-9]* warnings\{0,1\} generated' "$out"
if grep -q '^# [0-9]* cases in all' "$out" && [ ! -s "$log" ]; then
    echo "ok - Oclgrind finds nothing"
else
    head -n 50 "$log" | sed 's/^/# /'
    echo "not ok - Oclgrind finds nothing"
fi
! grep -q '^not ok' "$out" && [ ! -s "$log" ]
