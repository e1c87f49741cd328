#!/bin/sh
# The memory of `render` on video: flat over 100,000 frames, and at 720p little above ffmpeg's.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

begin "100,000 frames in the memory of a few; 720p in 250 MB above what ffmpeg takes to decode and encode it"
expect_python "$root/tests/long_frames.py" "$RUNNEL"
sed 's/^/# /' py.out
