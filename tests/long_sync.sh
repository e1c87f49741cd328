#!/bin/sh
# Sound against picture, see sync.py: all pairs of containers, then ten generations.
. "$(dirname "$0")/lib.sh"
python3 "$root/tests/sync.py" pairs && python3 "$root/tests/sync.py" chains
