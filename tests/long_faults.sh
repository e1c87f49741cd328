#!/bin/sh
# Every call that can fail is made to fail, one at a time: faults.py says how, faults.c does it.
# FAULTS_SECONDS bounds it (500 by default, what fits into the limit of a suite), FULL=1 walks all of them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

title="calls that fail"
! is_sanitized || { skip_this "the sanitizers want to be loaded first"; finish; }

mkdir in
(cd in && python3 "$root/tests/faults_inputs.py" "$root/media/sharpen.cl") || echo "# cannot make the inputs"

python3 "$root/tests/faults.py" "$RUNNEL" "${BUILD:-$root/build/release}/tests/faults.so" in "$root/tests/faults.known"
exit
