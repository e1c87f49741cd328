#!/bin/sh
# The preview: keys on layouts of other languages, pressed by their place, and the file of keys.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
hand=no # what began before would send the keys of the layout of then

command -v setxkbmap >/dev/null || { skip "setxkbmap is missing"; finish; }

make_tiny clip.mkv gray

# X's codes of places, by what they are on the US layout.
q=24 w=25 r=27 u=30 a=38 z=52 x=53 n=57 m=58 comma=59 period=60 slash=61
one=10 two=11 four=13 six=15 backspace=22 tab=23 return=36 up=111

layout() { setxkbmap "$1" || complain "there is no layout $1"; } # name

zoomed() { # what, key, then what is seen is another picture than at fit
    shot before
    after "$2" expect_seen "$1" "$whole" before other
    after "$z_key" expect_seen "$1, and back" "$upper" before same
}

# The keys of the chain at their places; a step changes it, undo goes back, a stage off and on.
tunes() { # places of x, u, U (with Shift), r
    tuned "alt+$one $tab $up" erosion=radius=3
    tuned "$1" erosion=radius=3:enable=0
    tuned "$2" erosion=radius=3
    tuned "shift+$2" erosion=radius=3:enable=0
    tuned "$2 $2" erosion=radius=2
    tuned "$3" erosion
    tuned "$2" erosion=radius=2
}

leaves() { # place of q
    key "$1"
    closed 0
}

begin "French, while the window is open: letters where they are printed, digits without Shift"
play_paused clip.mkv -f erosion=radius=2
layout fr
write=$z
tunes $x $u $r
press shift+$comma
now=$(frame)
key $m # a comma there
expect_frame "the comma" $((now - 1))
key shift+$comma # a full stop there
expect_frame "the full stop" "$now"
z_key=$w
zoomed "1, as &" $one
zoomed "2, as e with accent" $two
zoomed "1 with Shift" shift+$one
zoomed "4, as '" $four
tuned "$six" erosion # the minus
tuned "shift+$u $u" erosion=radius=2
key $n # new
type_in invert
tuned "$return" erosion=radius=2,invert
tuned "alt+$one $x" erosion=radius=2:enable=0,invert
leaves $a

begin "Greek and Russian: letters at the places of the US layout"
for name in gr ru; do
    layout $name
    write=$w
    play_paused clip.mkv -f erosion=radius=2
    tunes $x $u $r
    z_key=$z
    zoomed "1" $one
    press $period $period
    now=$(frame)
    [ $name = ru ] || key $comma $comma $period
    [ $name = gr ] || key shift+$slash shift+$slash $period # where the comma is
    expect_frame "a full stop and a comma" $((now - 1))
    tuned "alt+$one $x" erosion=radius=2:enable=0
    key $n
    layout us # for names in Latin letters
    type_in invert
    tuned "$return" erosion=radius=2:enable=0,invert
    layout $name
    leaves $q
done

begin "the file of keys: others are in force, and in the help"
layout us
mkdir -p "$XDG_CONFIG_HOME/runnel"
cat >"$XDG_CONFIG_HOME/runnel/keys" <<'END'
# mine
Ctrl+z     undo
Ctrl+Up    step 5
q          none
Q          quit   # with Shift
Backspace  new
END
write=$w
play_paused clip.mkv -f erosion=radius=2
tuned "$tab ctrl+$up" erosion=radius=7
tuned "ctrl+$z" erosion=radius=2
key $q $backspace
type_in invert
key $return
expect_eq "chain" "$(written)" erosion=radius=2,invert
leaves shift+$q
ok runnel play --keys
grep -qx 'Ctrl+Up  *step 5' out && grep -qx 'q  *none' out || complain "other keys: $(cat out)"
cp out once
mv "$XDG_CONFIG_HOME/runnel/keys" kept
cp once "$XDG_CONFIG_HOME/runnel/keys"
prints once runnel play --keys

begin "--keys --json: what scripts can do and tell; without --keys it is refused"
ok sh -c '"$started" play --keys --json | jq -r "(.commands[] | select(.name == \"states\") | .group, .takes),
    (.properties[] | select(.name == \"volume\") | .type, .settable)"'
expect_eq "records" "$(cat out)" "Comparing and zooming
LEFT RIGHT
a number 0..100
true"
refuses 2 "json goes with --keys" runnel play clip.mkv --json

begin "a mistake in it: its line, status 2, no window; --keys lists the keys that hold"
printf 'u undo\nq quti\n' >"$XDG_CONFIG_HOME/runnel/keys"
refuses 2 "runnel/keys:2: unknown action 'quti' (did you mean 'quit'?)" \
    env -u DISPLAY "$started" play clip.mkv
printf 'u redo\nq quti\nTba quit\nj help\n' >"$XDG_CONFIG_HOME/runnel/keys"
for list in clip.mkv --keys; do
    fails 2 '' env -u DISPLAY "$started" play $list
    expect_eq "the mistakes" "$(grep -o 'keys:[0-9]*: unknown [a-z]*' err | tr '\n' ',')" \
        "keys:2: unknown action,keys:3: unknown key,"
    expect_eq "lines" "$(wc -l <err)" 2
done
grep -qx 'j  *help' out && grep -qx 'u  *redo' out && grep -qx 'q  *quit' out || complain "keys: $(cat out)"
head -c 100000 /dev/zero | tr '\0' '\n' >"$XDG_CONFIG_HOME/runnel/keys"
refuses 2 '' runnel play clip.mkv
rm "$XDG_CONFIG_HOME/runnel/keys"
mkdir "$XDG_CONFIG_HOME/runnel/keys"
refuses 2 '' runnel play clip.mkv
rm -r "$XDG_CONFIG_HOME"
ok env -u XDG_CONFIG_HOME HOME="$scratch/home" "$started" play --keys
mkdir -p home/.config/runnel
echo 'q none' >home/.config/runnel/keys
run env -u XDG_CONFIG_HOME HOME="$scratch/home" "$started" play --keys
grep -qx 'q  *none' out || complain "the file in ~/.config is not read"
