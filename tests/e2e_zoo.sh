#!/bin/sh
# A few inputs of the zoo, see long_zoo.sh.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
python3 "$root/tests/zoo.py" "${BUILD:-$root/build/release}/zoo" \
    mpeg2.ts chapters.mp4 gray16.nut turned.mov voided.mkv
exit
