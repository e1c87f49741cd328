#!/bin/sh
# The preview: however it was tuned, the chain that `w` writes gives the picture on the screen, and undoing
# leads back to the first one.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

make_tiny y8.mkv yuv420p

begin "60 random actions: every 20 the chain gives the picture; all undone it is the first"
random_session 60 7 y8.mkv erosion,convolution=preset=sharpen,stats

begin "60 random actions, each undone at once: always the first picture"
undone_at_once 60 8 y8.mkv levels,closing=shape=disk:radius=2,convolution=preset=emboss:enable=0

begin "20 random actions with a filter across frames"
random_session 20 9 y8.mkv median=slices=1,invert
