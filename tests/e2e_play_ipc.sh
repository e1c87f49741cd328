#!/bin/sh
# The preview through its socket: what scripts set, seek, watch and save, and how it goes on without them.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

command -v montage >/dev/null || { skip "montage is missing"; finish; }

clip=clip.mkv
make_long $clip 8

run() { # keeps what the player says apart
    case $1 in
    runnel) program=$started ;;
    *) program=$PYTHON ;;
    esac
    shift
    timeout -k 5 $patience "$program" "$@" >out 2>err2 </dev/null
    rc=$?
}

begin "what is set is on the screen when the answer comes; a seek is exact; a screenshot is what render writes"
play $clip -f erosion=radius=2,levels --ipc sock
expect_eq "permissions" "$(stat -c %a sock)" 600
script <<'PY'
player("set_property", "pause", True)
expect("radius", player("get_property", "erosion.radius"), 2)
expect("no response yet", player("get", "response"), 0)
player("set", "erosion.radius", 5)
expect("a response is told", 0 < player("get", "response") < 60000, True)
player("set", "1.on", True)
expect("chain", player("get", "chain"), "erosion=radius=5,levels")
player("seek", "50f", "absolute")
expect("frame", player("get", "frame"), 50)
player("seek", 3, "absolute")
expect("time", player("get", "time-pos"), 3)
player("seek", -0.5)
expect("time after that", player("get", "time-pos"), 2.52)
player("seek", "-13f")
expect("frame after that", player("get", "frame"), 50)
player("frame-step", 2)
player("frame-back-step")
expect("frame after steps", player("get", "frame"), 51)
player("frame-step", 40)
expect("frame 40 on", player("get", "frame"), 91)
player("frame-back-step", 25)
expect("frame 25 back", player("get", "frame"), 66)
player("set", "frame", 100)
expect("frame after that", player("get", "frame"), 100)
under_way = [player.send("seek", *args, **{"async": True}) for args in ([1000, "absolute"], [5], [-1])]
expect("seeks", [player.answer(n)["error"] for n in under_way], 3 * ["success"])
player("set", "pause", True)
expect("where seeks lead from", player("get", "frame"), 174)
player("seek", "100f", "absolute")
expect("file", player("screenshot", "shot.png"), {"filename": "shot.png"})
stats = player("get", "stats")
expect("stats of", (stats["frame"], [p["plane"] for p in stats["planes"]]), (100, ["gray"]))
print(stats["planes"][0]["mean"], stats["planes"][0]["max"])
PY
cp out measured
expect_frame "the script's" 100
ok runnel render $clip want.png --from 100f --frames 1 -f erosion=radius=5,levels
expect_same shot.png want.png
ok runnel stats want.png --json
expect_eq "mean and max" "$(awk '{printf "%.4f %d", $1, $2}' measured)" \
    "$(jq -r 'select(.mean) | "\(.mean) \(.max)"' out | head -n 1 | awk '{printf "%.4f %d", $1, $2}')"
quit
expect_no_file sock

begin "what the window says is plain: levels, planes and switches; an empty chain names the keys in force"
mkdir -p "$XDG_CONFIG_HOME/runnel"
printf "n none\nj new\n" >"$XDG_CONFIG_HOME/runnel/keys"
play $clip -f threshold --ipc sock
script <<'PY'
expect("a level", player("action", "stage", 1), "1/3  threshold.level  128 of 255  [0..255]")
player("set", "threshold.level", 255)
expect("at the limit", player("action", "step", 1), "1/3  threshold.level  255 of 255  [0..255]  is at its limit")
expect("undone", (player("undo"), player.refused("undo"))[1], "nothing to undo")
expect("a scope", player("action", "scopes"), "waveform: left | right")
expect("a region", [player("action", "limit") for _ in range(2)][0], "a drag sets the region of threshold; Q ends that")
said = [player("action", *words) for words in (["store", 1], ["step", -9], ["snapshot", 1], ["compare"])]
expect("another chain", said[-1], "the earlier chain to now: threshold.level 119 of 255 -> 128 of 255; Esc: the chain alone")
expect("a switch", player("action", "param-next", 1), "2/3  threshold.otsu  off  [0..1]")
expect("planes", player("action", "param-next", 1), "3/3  threshold.planes  automatic  [0..15]")
player("set", "threshold.planes", 5)
expect("some", player("action", "stage", 1)[:1] + player("action", "param-next", 2), "13/3  threshold.planes  plane 1, 3  [0..15]")
player("remove", 1)
expect("no chain", player("action", "param-next", 1), "the chain is empty: j adds a filter, ? shows keys")
PY
quit
rm "$XDG_CONFIG_HOME/runnel/keys"

begin "every way to change the chain is one change, which u takes back"
play $clip -f erosion=radius=2 --ipc sock
script <<'PY'
player("set", "pause", True)
player("set", "erosion.radius", "7")
player("add", "invert")
player("add", "levels@first=black=10", 1)
player("move", "first", 3)
player("duplicate", "invert")
player("remove", 3)
player("set", "first.on", False)
expect("chain", player("get", "chain"), "erosion=radius=7,invert,levels@first=black=10:enable=0")
player("set", "chain", "median=radius=2")
expect("what the window says", "snapshot A stored", player("action", "store", 1))
expect("undone", player("action", "undo"), "undone: snapshot A stored; U brings it back")
player("redo")
expect("said", player("get", "message"), "done again: snapshot A stored; u takes it back")
player("undo")
expect("zoom", player("action", "zoom", 2), "200 %")
for _ in range(7):
    player("undo")
expect("one back is left", player("get", "chain"), "erosion=radius=7")
player("action", "redo")
expect("forth", player("get", "chain"), "erosion=radius=7,invert")
player("undo")
PY
tuned u erosion=radius=2

begin "the end, what is marked: as people say it"
play $clip --ipc sock
script <<'PY'
def said(text, *command):
    player(*command)
    expect(" ".join(map(str, command)), player("get", "message"), text)
player("set", "pause", True)
player("seek", "10f", "absolute")
said("part begins at 0.400 s (frame 10)", "action", "mark-begin")
said("part ends at 0.400 s (frame 10): it is a single frame, E writes it to a file", "action", "mark-end")
said("no marks", "action", "mark-clear")
player("seek", 1000, "absolute")
said("the end: Home begins anew", "seek", 5)
player("frame-back-step")
player("frame-step")
said("no marks", "action", "mark-clear")
said("the end: Home begins anew", "frame-step")
said("no marks", "action", "mark-clear")
said("no marks", "frame-step") # once
def exports(text):
    expect("E", player("action", "export"), "E renders " + text)
exports("all of the input, as nothing is marked")
player("seek", "190f", "absolute")
player("action", "mark-begin")
exports("from 7.600 s (frame 190) to the end")
player("action", "mark-end")
exports("from 7.600 s (frame 190) to 7.600 s (frame 190)")
PY
wait_for 20 grep -q "wrote .*-0003.mkv, 1 frame" err || complain "the marked frame is not written"

begin "loadfile of a chain file is the chain; what is none is refused"
echo median=radius=2 >tuned.chain
echo nonsense >bad.chain
play $clip -f erosion=radius=2 --ipc sock
script <<'PY'
player("loadfile", "tuned.chain")
expect("chain", player("get", "chain"), "median=radius=2")
if "nonsense" not in player.refused("loadfile", "bad.chain"):
    sys.exit("nothing is said of the chain")
player.refused("loadfile", "none.mkv")
expect("chain", player("get", "chain"), "median=radius=2")
player("undo")
expect("undone", player("get", "chain"), "erosion=radius=2")
PY

begin "what is wrong is said, with what was meant; and changes nothing"
play $clip -f erosion=radius=2,convolution=preset=sharpen,erosion --ipc sock
script <<'PY'
def refused(command, what):
    error = player.refused(*command)
    if what not in error:
        sys.exit("%s: '%s', not '%s'" % (command, error, what))
refused(["set", "erosion.radius", 3], "2 stages are called 'erosion'")
refused(["set", "1.radius", 99], "out of range 1..31")
refused(["set", "1.radius", "many"], "takes a number")
refused(["set", "1.radius", None], "takes a number, a text")
refused(["set", "1.radus", 3], "did you mean 'radius'?")
refused(["set", "convoluton.preset", "outline"], "did you mean 'convolution'?")
refused(["set", "convolution.preset", "no"], "preset")
refused(["get", "pose"], "did you mean 'pause'?")
refused(["set", "duration", 3], "can only be read")
refused(["set", "pause", 3], "true or false")
refused(["set", "chain", "erosin"], "did you mean 'erosion'?")
refused(["seek", "soon"], "takes seconds")
refused(["seek", -3, "absolute"], "takes seconds")
refused(["screnshot"], "did you mean 'screenshot'?")
refused(["undo", 3], "takes nothing")
refused(["action", "unso"], "did you mean 'undo'?")
refused(["action", "undo", 7], "takes no argument")
refused(["action", "snapshot", 9], "takes 1..4")
refused(["undo"], "nothing to undo")
refused(["remove", 7], "no stage of the chain")
refused(["screenshot", "clip.mkv"], "no name of one image file")
refused(["screenshot", "%03d.png"], "no name of one image file")
refused(["screenshot", "nowhere/x.png"], "nowhere")
open("there.png", "w").write("mine")
refused(["screenshot", "there.png"], "exists")
expect("the file", open("there.png").read(), "mine")
player("screenshot", "there.png", "overwrite")
expect("chain", player("get", "chain"), "erosion=radius=2,convolution=preset=sharpen,erosion")
names = {p["name"]: p for p in player("list")["parameters"]}
expect("radius", [names["1.radius"][k] for k in ("type", "min", "max", "step", "default", "value", "unit", "fixed")],
       ["int", 1.0, 31.0, 1.0, 1, 2, "px", False])
expect("preset", "sharpen" in names["convolution.preset"]["choices"], True)
PY

begin "what is observed is told when it changes, whoever changes it; stats with every frame; to several clients"
play $clip -f erosion=radius=2 --ipc sock
script <<'PY'
other = Player()
player("set", "pause", True)
player("seek", 0, "absolute")
player("observe", 1, "erosion.radius")
expect("at first", player.event(id=1)["data"], 2)
other("set", "erosion.radius", 4)
event = player.event(id=1)
expect("then", (event["event"], event["name"], event["data"]), ("property-change", "erosion.radius", 4))
other("observe", "s", "stats")
expect("frame", other.event(id="s")["data"]["frame"], 0)
player("frame-step")
player("frame-step")
expect("frames", [other.event(id="s")["data"]["frame"] for _ in range(2)], [1, 2])
other("unobserve", "s")
player("frame-step")
other("get", "pause")
expect("events of the other", other.events, [])
player("remove", 1)
expect("of what is gone", player.event(id=1)["data"], None)
player("undo")
expect("and is back", player.event(id=1)["data"], 4)
PY
script <<'PY'
# a request need not wait for the answer of the one before; each is shown
numbers = [player.send("set", "erosion.radius", i) for i in range(1, 9)] + [player.send("get", "erosion.radius")]
expect("answers", [player.answer(n)["error"] for n in numbers[:-1]], ["success"] * 8)
expect("the last one", player.answer(numbers[-1])["data"], 8)
player("set", "erosion.radius", 3, **{"async": True})
expect("asynchronous", player("get", "erosion.radius"), 3)
PY

begin "garbage is answered, a killed, silent or half-open client harms no other, and the picture goes on"
play $clip -f erosion=radius=2 --ipc sock --loop
cat >deaf.py <<'PY'
from ipc import *
player = Player()
for i in range(64):
    player("observe", i, "time-pos" if i % 2 else "stats")
print("ready", flush=True)
try:
    while True:
        player.send("list")
except OSError: # it was dropped
    quiet = Player()
    quiet("observe", 1, "stats")
    while True:
        time.sleep(600)
PY
"$PYTHON" deaf.py >ready 2>/dev/null &
deaf=$!
wait_for 20 test -s ready || complain "no deaf client"
script <<'PY'
import random
random.seed(3)
player.socket.sendall(b"\n  \nseek 5\n{}\n[1]\n\xff\xfe\n")
for _ in range(4):
    assert player.message()["error"] != "success"
player.socket.sendall(b"x" * (3 << 20) + b"\n")
assert "too long" in player.message()["error"]
n = 0
for _ in range(300):
    line = bytes(random.choice(b'{}[]",:0 \xc3"command"getsetpause\x00') for _ in range(random.randrange(1, 200)))
    player.socket.sendall(line + b"\n")
    n += bool(line.strip(b" \t\r"))
for _ in range(n):
    player.message()
assert player("get", "frame") >= 0
half = Player()
half.socket.sendall(b'{"command": ["get_property", "path"]}')
half.socket.shutdown(socket.SHUT_WR)
expect("half-open", half.message()["data"], "clip.mkv")
expect("its end", half.lines.readline(), "")
gone = Player()
gone.send("seek", 2)
gone.send("observe", 1, "stats")
gone.socket.close()
PY
wait_for 20 grep -q "a client does not read what is sent to it: it is dropped" err ||
    complain "the deaf client is not dropped"
kill -9 $deaf
wait $deaf 2>/dev/null
script <<'PY'
player("seek", 1, "absolute")
start = player("get", "frame")
player("observe", 1, "frame")
while player.event(id=1)["data"] == start:
    pass
player("quit")
expect("the end", player.event(event="shutdown"), {"event": "shutdown"})
PY
closed 0
expect_no_file sock

begin "the socket goes with a signal, a dead one is replaced, any other file of that name stays"
play $clip --ipc sock
kill -TERM $player
closed 143
expect_no_file sock
play $clip --ipc sock
kill -9 $player
closed
[ -S sock ] || complain "no socket is left"
play $clip --ipc sock
script <<'PY'
expect("path", player("get", "path"), "clip.mkv")
PY
grep -q "left by a program that has ended" err || complain "a dead socket is replaced in silence"
fails 4 '' runnel play $clip --ipc sock
grep -q "another program listens there" err2 || complain "$(cat err2)"
script <<'PY'
player("get", "path")
PY
quit
echo mine >sock
fails 4 '' runnel play $clip --ipc sock
grep -q "no socket: choose another name" err2 || complain "$(cat err2)"
expect_eq "the file" "$(cat sock)" mine
rm -f sock

begin "the script of the manual sweeps a parameter and saves a contact sheet"
awk '/^    import json, socket/ {on = 1} on && !/^    / && NF {exit} on {print substr($0, 5)}' "$root/app/man/runnel-play-ipc.7.md" >sweep.py
lines=$(grep -c . sweep.py)
{ [ "$lines" -gt 5 ] && [ "$lines" -le 20 ]; } || complain "$lines lines"
play $clip -f erosion --ipc sock
ok python3 sweep.py
sed 's/^/# /' err2
expect_file sheet.png
for n in 1 9; do
    run runnel render $clip one.png -y --from 50f --frames 1 -f erosion=radius=$n
    expect_eq "samples that differ with radius $n" "$(compare -metric AE one.png radius$n.png null: 2>&1)" 0
done
[ "$(identify -format %w sheet.png)" -gt 600 ] || complain "a sheet of $(identify sheet.png)"
closed 0

begin "a screenshot of an input whose pictures are counted: of a clip, of a stack"
clip counted.mp4 $clip -frames:v 9 -an -c:v libx264 -qp 0
"$PYTHON" -c "import numpy, tifffile; tifffile.imwrite('stack.tif', numpy.full((4, 240, 320), 900, numpy.uint16))"
for input in counted.mp4 stack.tif; do
    play $input --ipc sock
    script <<'PY'
player("screenshot", "one.png", "overwrite")
player("quit")
PY
    closed 0
    expect_eq "picture" "$(identify -format '%wx%h' one.png)" 320x240
done

begin "a file that is cut while it plays: its last frame is found without reading it all, and is said to be the nearest"
clip cut.ts lavfi:testsrc2=s=64x48:r=25:d=200 -c:v libx264 -preset ultrafast -g 50
play cut.ts --ipc sock --log-level debug
script <<'PY'
player("set", "pause", True)
os.truncate("cut.ts", int(0.407 * os.path.getsize("cut.ts")))
player("seek", 180, "absolute")
expect("a frame near the cut", 70 < player("get", "time-pos") < 90, True)
expect("message", "cannot be reached" in player("get", "message"), True)
PY
quit
decoded=$(sed -n 's/.*frames: \([0-9]*\) decoded.*/\1/p' err)
[ "${decoded:-9999}" -lt 500 ] || complain "$decoded frames were decoded"
