#!/bin/sh
# Sound against picture, see sync.py: all pairs of containers, then ten generations.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
python3 "$root/tests/sync.py" pairs && python3 "$root/tests/sync.py" chains
exit
