#!/bin/sh
# The preview under many keys.
. "$(dirname "$0")/lib.sh"
. "$root/tests/window.sh"

make_tiny y8.mkv yuv420p

for seed in 4 5 6 7 8 9 10 11 12 13; do
    begin "1,000 random keys, seed $seed: no crash, nothing left behind"
    random_keys 1000 $seed
    end
done

finish
