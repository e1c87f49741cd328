#!/bin/sh
# Sound against picture, see sync.py: the pairs of containers that keep times least alike.
. "$(dirname "$0")/lib.sh"
python3 "$root/tests/sync.py" short
