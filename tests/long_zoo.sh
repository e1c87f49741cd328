#!/bin/sh
# Media of every kind that ffmpeg makes, through render and back: zoo.py compares what came out with what went in.
# ONLY_ZOO='regular expressions' takes only those inputs.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
python3 "$root/tests/zoo.py" "${BUILD:-$root/build/release}/zoo" ${ONLY_ZOO-}
exit
