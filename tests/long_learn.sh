#!/bin/sh
# Networks that learn from clips nobody here made (Debian's gem-doc), and beside PyTorch (python3-torch).
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
: "${CLIPS:=/usr/share/gem/examples/data}"
best() { sed -n "s/^ *the best $1 *\([0-9.]*\) dB.*/\1/p" said; }
gains() { # dB, what learn takes: more than the best blur and the best median
    least=$1
    shift
    runnel learn "$@" m.safetensors -y --seed 1 >table 2>said || complain "$*: status $?: $(tail -n 1 said)"
    net=$(tail -n 1 table | cut -d, -f2) blur=$(best blur) median=$(best median)
    echo "# $*: $net dB; blur $blur, median $median"
    [ "$blur" ] && [ "$median" ] && awk "BEGIN { exit !($net > $blur + $least && $net > $median + $least) }" || complain "$*: it gains less than $least dB"
}

begin "clips of others, sigma 15: at least 1 dB over the best blur and median"
if [ -e "$CLIPS/homer.avi" ]; then
    for name in anim-1.mov alea.mpg homer.avi; do gains 1 "$CLIPS/$name" "$CLIPS/$name" -f noise=sigma=15 --steps 1500; done
else
    skip_this "gem-doc is not installed"
fi

begin "the sample clip and a stack: 3 dB and 1 dB; nothing but the noisy clip: 1 dB"
gains 3 "$root/media/clip.mp4" "$root/media/clip.mp4" -f noise=sigma=15 --minutes 1
gains 1 "$root/media/scan.tif" "$root/media/scan.tif" -f noise=sigma=20 --steps 1500
clip gray.mkv "$root/media/clip.mp4" -vf scale=640:360,format=gray -c:v ffv1
ok runnel learn gray.mkv self m.safetensors -y -q --seed 1 -f noise=sigma=15 --steps 1500
psnr() { # of the noisy clip through a filter
    ok runnel render gray.mkv made.mkv -y -q --codec ffv1 -f "noise=sigma=15,$1"
    ffmpeg -nostdin -v info -i gray.mkv -i made.mkv -lavfi psnr -f null - 2>&1 | sed -n 's/.*average:\([0-9.]*\).*/\1/p'
}
ours=$(psnr network=m.safetensors)
for chain in blur=sigma=0.7 blur=sigma=1 blur=sigma=1.5 median=1 median=2; do
    other=$(psnr $chain)
    echo "# self: $ours dB; $chain $other"
    awk "BEGIN { exit !($ours > $other + 1) }" || complain "self: $ours dB, $chain $other"
done

begin "within 1e-5 of PyTorch: the model of the sample clip, and networks of other programs, made anew"
if python3 -c 'import torch' 2>/dev/null; then
    (mkdir new && cd new && python3 "$root/media/onnx/make-networks.py" >../log 2>&1) || complain "$(tail -n 1 log)"
    for net in dncnn valid; do cmp -s new/$net.onnx "$root/media/onnx/$net.onnx" || complain "another $net.onnx"; done
    numpy "$root" "$RUNNEL" <<'PY' || complain "other samples"
import json, subprocess, torch
model = open(sys.argv[1] + "/media/denoise.safetensors", "rb").read()
end = 8 + int.from_bytes(model[:8], "little")
tensors = {name: torch.from_numpy(np.frombuffer(model[end:], "<f4").copy()[slice(*(i // 4 for i in of["data_offsets"]))].reshape(of["shape"]))
           for name, of in json.loads(model[8:end]).items() if name[0].isdigit()}
layers = len(tensors) // 2
for size in (48, 64), (3, 5), (101, 177), (360, 640):
    picture = np.random.default_rng(1).random((1, *size), dtype="f4")
    np.save("in.npy", picture)
    subprocess.run([sys.argv[2], "render", "in.npy", "out.npy", "-y", "-q", "-f", "network=file=" + sys.argv[1] + "/media/denoise.safetensors"], check=True)
    x = torch.nn.functional.pad(torch.from_numpy(picture)[None], (layers,) * 4, mode="replicate")
    for i in range(layers):
        x = torch.nn.functional.conv2d(x, tensors[f"{i}.weight"], tensors[f"{i}.bias"])
        x = x if i + 1 == layers else torch.relu(x)
    assert np.abs(np.load("out.npy") - picture - x.numpy()[0]).max() < 1e-5, size
PY
else
    skip_this "python3-torch is not installed"
fi
finish
