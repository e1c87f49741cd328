#!/bin/sh
# The preview under many keys.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
. "$root/tests/window.sh"

make_tiny y8.mkv yuv420p

for seed in 4 5 6 7 8 9 10 11 12 13; do
    begin "1,000 random keys, seed $seed: no crash, nothing left behind"
    random_keys 1000 $seed
done

begin "500 random actions: every 20 the chain gives the picture; all undone it is the first"
random_session 500 14 y8.mkv erosion,convolution=preset=sharpen,levels,stats

begin "500 random actions, each undone at once: always the first picture"
undone_at_once 500 15 y8.mkv closing=shape=disk:radius=2,noise,convolution=preset=emboss:enable=0

seed=20
while read -r chain; do
    seed=$((seed + 1))
    begin "1,000 random keys: $chain"
    random_keys 1000 $seed "$chain" --untimed
done <<END
closing=slices=1
median=slices=1,stats
erosion=slices=2:enable=0,convolution=preset=gauss3,dilation=slices=1
opening=shape=disk:radius=3,blur,threshold=otsu=1
levels=gamma=2,median,equalize
noise,boxblur=radius=5,sobel
sharpen,emboss,laplacian
gray,tophat=radius=4,invert
format=yuv444p,gradient,stats=p=3
convolution=preset=outline:bias=20,noise=type=salt-and-pepper:enable=0,prewitt
END
