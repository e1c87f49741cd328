#!/bin/sh
# Media of every kind that ffmpeg makes, through render and back: zoo.py compares what came out with what went in.
# ONLY_ZOO='regular expressions' takes only those inputs; ZOO_WRITE=1 writes the list of what is wrong anew.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
python3 "$root/tests/zoo.py" "${BUILD:-$root/build/release}/zoo" "$root/tests/zoo.known" ${ONLY_ZOO-}
