#!/bin/sh
# The preview in all hands at once: keys, clicks, drags, the wheel, typed filters, windows of other
# sizes, under a window manager where there is one (openbox).
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
. "$root/tests/window.sh"

manager=0
if command -v openbox >/dev/null; then
    openbox >/dev/null 2>&1 &
    manager=$!
fi
trap 'kill $manager 2>/dev/null; stop_all' EXIT

make_tiny y8.mkv yuv420p 160x120

# What two hands do, a line each, for xdotool; W stands for the window.
hands() { # how many, seed
    awk -v n="$1" -v seed="$2" '
        function any(words, k) { return split(words, k, " ") ? k[1 + int(rand() * split(words, k, " "))] : "" }
        function at() { return "mousemove --window W " int(rand() * 300) " " int(rand() * 180) }
        BEGIN {
            srand(seed)
            common = "Tab Tab shift+Tab Up Up Down Down shift+Up shift+Down plus minus r R x u u U Next Prior S N " \
                "Delete shift+Next shift+Prior F1 F2 F3 F4 shift+F1 shift+F2 shift+F3 shift+F4 F5 F6 p p i d b v " \
                "V D o braceleft braceright T k t parenleft parenright B a e A period comma Home End Left Right " \
                "bracketleft bracketright BackSpace 1 2 z question Escape Escape f l 9 0 m alt+1 alt+2"
            filters = "erosion median=radius=2 invert levels boxblur gray closing=shape=disk noise format=yuv444p " \
                "sharpen stats threshold nosuch blur=sigma=-1"
            for (i = 0; i < n; i++) {
                r = rand()
                if (r < 0.7) print "key --delay 4 " any(common)
                else if (r < 0.78) print at() " click 1"
                else if (r < 0.82) print at() " click " (rand() < 0.5 ? 4 : 5)
                else if (r < 0.86) print at() " mousedown 1 " at() " mouseup 1"
                else if (r < 0.88) print "keydown shift " at() " mousedown 1 " at() " mouseup 1 keyup shift"
                else if (r < 0.90) print at() " mousedown 3 " at() " mouseup 3"
                else if (r < 0.95) print "key n type --delay 4 " any(filters) "\nkey Return"
                else if (r < 0.97) print "key Return type --delay 4 " int(rand() * 9) "\nkey Return"
                else print "windowsize W " any("320 640 801 1200") " " any("200 480 603 900")
            }
        }'
}

# Nothing is typed any more, no help is open, and the clip stands; its frame was read anew, without marks,
# beyond which filters across frames see nothing.
hands_off() {
    xdo windowactivate --sync "$window" >/dev/null 2>&1
    press Escape Escape Escape A
    press comma
    press period
}

two_hands() { # how many, seed, chain
    begin "$1 actions of two hands, seed $2: $3: the chain gives the picture; all undone it is the first"
    play_at_first y8.mkv -f "$3"
    chain=$(written)
    hands "$1" "$2" | sed "s/ W / $window /g" >all
    split -l 50 -d -a 4 all part.
    for part in part.*; do
        xdo - <"$part" >/dev/null 2>&1
        ended && { complain "the player has ended"; break; }
        hands_off
        written >/dev/null
        settle
        ok runnel render y8.mkv md5: -q -f @runnel-0001.chain
        grep "^$(frame) " out >want
        wait_for 20 is_shown || expect_same got want
    done
    rm -f part.*
    ended || key $(seq "$1" | sed 's/.*/u/')
    ended || expect_eq "the chain, all undone" "$(written)" "$chain"
    quit
}

two_hands "${HANDS:-2500}" 31 erosion,convolution=preset=sharpen,stats
two_hands "${HANDS:-2500}" 32 levels,closing=shape=disk:radius=2,median=slices=1
