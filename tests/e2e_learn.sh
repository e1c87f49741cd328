#!/bin/sh
# `learn` and the filter `network`: gain over blur and median, the same bytes of models and pixels on every device,
# pairs, masks, nothing but the noisy one; going on; what is refused; a preview that takes a better model.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
unset POCL_EXTRA_BUILD_FLAGS # learning with kernels that are not optimized takes minutes
POCL_CACHE_DIR=${POCL_CACHE_DIR%/unoptimized}

# Frames of the sample clip, a quarter of each; to learn from and to test.
clip small.mkv "$root/media/clip.mp4" -vf crop=208:120:480:270,format=gray -frames:v 10 -c:v ffv1
clip other.mkv "$root/media/clip.mp4" -vf crop=208:120:160:90,format=gray -frames:v 4 -c:v ffv1

scan=$root/media/scan.tif
figure() { tail -1 "$1" | cut -d, -f2; }
same_pixels() { # input, chain, options: on the device and on the host
    into on runnel render "$1" md5: -q -f network=file="$2" $3
    into off runnel render "$1" md5: -q -f network=file="$2" $3 -d none
    expect_same on off
}
best() { sed -n "s/^ *$1 *\([0-9.]*\) dB.*/\1/p" "$2"; }
greater() { awk "BEGIN { exit !($2 > $3 + $4) }" || complain "$1: $2 is not more than $3 by $4"; }

begin "a clip with noise and the clip: better than the best blur and median, also on another part"
runnel learn small.mkv small.mkv m.safetensors -f noise=sigma=15 --steps 150 --seed 1 --width 8 >table 2>said || complain "status $?"
for other in blur median; do greater $other "$(figure table)" "$(best "the best $other" said)" 1; done
ok runnel render other.mkv noisy.mkv -q --codec ffv1 -f noise=sigma=15:seed=7
psnr() { # of that part, through a chain
    runnel render noisy.mkv clean.mkv -y -q --codec ffv1 -f "$1"
    ffmpeg -nostdin -v info -i other.mkv -i clean.mkv -lavfi psnr -f null - 2>&1 | sed -n 's/.*average:\([0-9.]*\).*/\1/p'
}
ours=$(psnr network=file=m.safetensors)
for chain in blur=sigma=1 median=radius=1 median=radius=2; do greater $chain "$ours" "$(psnr $chain)" 0.3; done
same_pixels noisy.mkv m.safetensors

begin "the same model from every device, any number of threads, and where it went on"
ok runnel render small.mkv mask.mkv -q --codec ffv1 --frames 3 -f threshold=otsu=1
for target in mask.mkv small.mkv; do
    for how in "-d cpu" "-d cpu --threads 1" "-d none"; do
        ok runnel learn small.mkv $target a.safetensors -q -y -f noise=sigma=15 --frames 3 --steps 6 --width 8 $how
        [ -e $target.safetensors ] || cp a.safetensors $target.safetensors
        expect_same a.safetensors $target.safetensors
    done
done
says "goes on from step 6" runnel learn small.mkv small.mkv a.safetensors --resume -f noise --frames 3 --steps 9 --width 8

begin "pair, self, slices, other depths, scans: each learns"
ok runnel render small.mkv deep.mkv -q --codec ffv1 -f format=format=gray16,noise=sigma=15
for case in "small.mkv self -f noise=sigma=15" "small.mkv pair -f noise=sigma=15" "deep.mkv pair" \
    "small.mkv small.mkv -f noise=sigma=15 --slices 1" "small.mkv small.mkv -f blur --loss l1 --layers 2"; do
    into table runnel learn $case b.safetensors -q -y --steps 20 --seed 3 --width 8
    greater "$case" "$(figure table)" "$(sed -n '2s/.*,//p' table)" 0
    same_pixels other.mkv b.safetensors
done
says "a program is taken" runnel learn deep.mkv pair b.safetensors -y --steps 1 --width 8 --log-level debug # on the device
into table runnel learn "$scan" "$scan" b.safetensors -q -y -f noise=sigma=20 --steps 30 --frames 8 --width 8
greater "a scan" "$(figure table)" 0 10

begin "a target of twice the size: more than the same pixels fourfold, in odd sizes and with chroma, too"
clip half.mkv small.mkv -vf scale=104:60:flags=area -c:v ffv1
runnel learn half.mkv small.mkv x2.safetensors --steps 40 --width 8 >table 2>said || complain "status $?"
greater "the same pixels" "$(figure table)" "$(best "the input" said)" 0.5
clip=$root/media/clip.mp4 odd="--frames 2 --crop 37x23+480+270"
for how in "" :strength=0.4 :planes=2,blur; do same_pixels "$clip" "x2.safetensors$how" "$odd"; done
ok runnel render "$clip" twice.mkv -q $odd -f network=file=x2.safetensors
expect_eq "size" "$(about twice.mkv stream=width,height)" 74,46
fails 2 "format and size" runnel render "$clip" null: -f network=file=x2.safetensors:region=ellipse

begin "a mask, a target of two values: its probability, in slices that were not learned from; also by squares"
ok runnel render "$scan" mask.npy -q --frames 16 -f median,threshold=otsu=1
learn_mask() { into table runnel learn "$scan" mask.npy "$@" -q --frames 8 --steps 60 --width 8; }
learn_mask l2.safetensors --loss l2
learn_mask mask.safetensors
expect_eq "columns" "$(head -1 table)" step,dice
ok runnel render "$scan" made.npy -q --from 8f --frames 8 -f network=file=mask.safetensors
numpy <<'PY' || complain "another mask"
made, mask = np.load("made.npy").astype(float), np.load("mask.npy")[8:] > 0
made = (made - made.min()) / np.ptp(made)
assert 2 * np.sum(mask & (made >= 0.5)) > 0.97 * (np.sum(mask) + np.sum(made >= 0.5)), "Dice"
assert np.mean((made - mask) ** 2) < 0.02, "probability"
PY
grep -aq '"loss":"cross-entropy"' mask.safetensors || complain "the loss"
for model in mask l2; do same_pixels "$scan" $model.safetensors:strength=0.7 "--frames 2"; done
fails 2 "of another form" runnel learn "$scan" mask.npy l2.safetensors --resume --frames 8 --width 8

onnx=$root/media/onnx
if [ -e "$(dirname "$RUNNEL")/runnel-onnx.so" ]; then
    begin "networks of other programs: within 1e-5 of PyTorch, the same on every device; what is not understood is said"
    numpy "$onnx" <<'PY'
picture = np.load(sys.argv[1] + "/torch.npz")["picture"]
picture.tofile("picture.raw")
np.save("picture.npy", (picture[None] / np.float32(65535)).astype("f4"))
PY
    clip picture.mkv -f rawvideo -pix_fmt gray16le -s 23x19 -i picture.raw -c:v ffv1
    for net in dncnn valid; do ok runnel render picture.npy $net.npy -q -f network="$onnx/$net.onnx"; done
    for net in fsrcnn artcnn; do
        ok runnel render picture.mkv $net.mkv -q --codec ffv1 -f network="$onnx/$net.onnx"
        clip $net.raw $net.mkv -f rawvideo
    done
    numpy "$onnx" <<'PY' || complain "other samples than PyTorch's"
for name, want in np.load(sys.argv[1] + "/torch.npz").items():
    if name in ("dncnn", "valid"):
        assert np.abs(np.load(name + ".npy")[0] - want).max() < 1e-5, name
    elif name != "picture":
        assert np.abs(np.fromfile(name + ".raw", "<u2").reshape(want.shape) - want.clip(0, 1) * 65535).max() < 1.2, name
PY
    for net in dncnn valid fsrcnn artcnn; do same_pixels "$clip" "$onnx/$net.onnx:strength=0.7" "--frames 1 --crop 157x151"; done
    same_pixels "$scan" "$onnx/dncnn.onnx" "--frames 2"
    sed s/LeakyRelu/LeakySelu/g "$onnx/valid.onnx" >other.onnx
    fails 2 "its operator 'LeakySelu' is none" runnel render picture.mkv null: -f network=other.onnx
    head -c 1500 "$onnx/valid.onnx" >other.onnx
    fails 2 "no whole ONNX file" runnel render picture.mkv null: -f network=other.onnx
    numpy <<'PY'
import struct
def v(n): return bytes([n & 127 | 128]) + v(n >> 7) if n > 127 else bytes([n])
def m(field, data): return v(8 * field + 2) + v(len(data)) + data
def node(text):
    op, to, *of = text.encode().split()
    return m(1, b"".join(m(1, i) for i in of) + m(2, to) + m(4, op))
def number(name, dims, value):
    return m(5, m(1, bytes(dims)) + b"\x10\1" + m(8, name) + m(9, struct.pack("<f", value)))
for name, nodes in (("clip", "Conv c x w, Add s c x, Clip y s l h"), ("twice", "Conv c x w, Identity i c, Relu r i, Add y r c")):
    graph = b"".join(map(node, nodes.split(", "))) + number(b"w", [1] * 4, 2) + number(b"l", [], 0) + number(b"h", [], 1)
    open(name + ".onnx", "wb").write(b"\x08\7" + m(7, graph + m(11, m(1, b"x")) + m(12, m(1, b"y"))))
PY
    ok runnel render picture.npy clip.npy -q -f network=clip.onnx
    expect_python -c 'import numpy as np; assert (np.load("clip.npy") == (3 * np.load("picture.npy")).clip(0, 1)).all()'
    ok runnel render picture.npy twice.npy -q -f network=twice.onnx
    expect_python -c 'import numpy as np; assert (np.load("twice.npy") == 4 * np.load("picture.npy")).all()'
else
    skip "networks of other programs: the program was built without protobuf-c"
fi

begin "a preview takes what is learned meanwhile, until SIGTERM, which keeps the best; others; a damaged one is said"
is_live() { # what is on the screen is what render makes
    into want runnel render other.mkv md5: -q --frames 1 -f network=file=live.st
    wait_for $patience eval 'tail -n 1 shown | cmp -s - want' || expect_same shown want
}
cp b.safetensors live.st
SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$RUNNEL" play other.mkv --md5 --ipc sock -f network=live.st >shown 2>said &
player=$!
wait_for $patience test -S sock || complain "no socket"
expect_python -c 'import ipc; p = ipc.Player(); p("set", "pause", True); p("seek", "0f", "absolute")'
"$RUNNEL" learn small.mkv small.mkv live.st -q -y -f noise=sigma=15 --steps 250 --width 8 >rows 2>err &
pid=$!
wait_for 60 grep -q '^[1-9]' rows || complain "it does not judge"
kill -TERM $pid
ends $pid 143
is_live
ok runnel learn small.mkv mask.mkv next.safetensors -q --width 8 --frames 3 --steps 3
expect_python -c 'm = open("next.safetensors", "rb").read(); end = 8 + int.from_bytes(m[:8], "little")
size = (end + 247) // 256 * 256 # its first byte is 0
open("live.st", "wb").write(size.to_bytes(8, "little") + m[8:end].ljust(size) + m[end:])'
is_live
head -c 3000 next.safetensors >live.st
wait_for $patience grep -q "outside of the file; the last good one goes on" said || complain "$(tail -n 1 said)"
expect_python -c 'import ipc; ipc.Player()("quit")'
ends $player 0

begin "what cannot be learned is refused or said; MODEL is kept"
before=$(md5sum <m.safetensors)
fails 4 "exists" runnel learn small.mkv small.mkv m.safetensors -f noise -n
fails 2 "the same pictures" runnel learn small.mkv small.mkv no.safetensors
fails 2 "has 10 pictures, 'other.mkv' 4" runnel learn small.mkv other.mkv no.safetensors
fails 2 "pictures of 1280 x 720" runnel learn small.mkv "$root/media/clip.mp4" no.safetensors
fails 2 "one value alone" runnel learn lavfi:color=gray:s=64x64:d=0.2 self no.safetensors
fails 2 "without --slices" runnel learn small.mkv pair no.safetensors --slices 1
fails 3 "nosuch" runnel learn small.mkv nosuch.mkv no.safetensors
clip still.mkv small.mkv -vf crop=190:120:0:0 -c:v ffv1
clip right.mkv small.mkv -vf crop=190:120:2:0 -c:v ffv1
says "moved by" runnel learn still.mkv right.mkv no.safetensors --steps 1
fails 2 "file is missing" runnel render small.mkv null: -f network
fails 2 "no safetensors" runnel render small.mkv null: -f network=file=small.mkv
expect_eq "MODEL" "$(md5sum <m.safetensors)" "$before"
finish
