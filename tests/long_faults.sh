#!/bin/sh
# Every call that can fail is made to fail, one at a time: faults.py says how, faults.c does it.
# FAULTS_SECONDS bounds it (500 by default, what fits into the limit of a suite), FULL=1 walks all of them.
. "$(dirname "$0")/lib.sh"

title="calls that fail"
case ${VARIANT:-release} in
asan | tsan)
    skip "the sanitizers want to be loaded first"
    finish
    ;;
esac

export PYTHONPATH="$root/tests" PYTHONDONTWRITEBYTECODE=1
mkdir in
cd in || exit 1
printf '1\n00:00:00,000 --> 00:00:00,100\nWords\n\n' >words.srt
ffmpeg -v error -y -f lavfi -i testsrc2=s=32x32:r=25:d=0.12 -f lavfi -i sine=440:r=44100:d=0.12 \
    -i words.srt -map 0 -map 1 -map 2 -metadata title=T -c:v libx264 -pix_fmt yuv420p -c:a aac -c:s srt clip.mkv &&
    ffmpeg -v error -y -i clip.mkv -map 0 -c:v copy -c:a copy -c:s mov_text clip.mp4 &&
    ffmpeg -v error -y -i clip.mkv -map 0:v -map 0:a -c copy sound.mp4 &&
    ffmpeg -v error -y -i clip.mkv -map 0:v -pix_fmt yuv420p clip.y4m &&
    ffmpeg -v error -y -i clip.mkv -map 0:v -pix_fmt gray scan_%d.png || echo "# cannot make the clips"
python3 - <<'PY' || echo "# cannot make the scans"
import numpy as np
import dicom
import tiff
pages = [tiff.noise(i, (16, 16)) for i in range(3)]
tiff.write('stack.tif', [p[:, :, None] for p in pages])
dicom.write('scan.dcm', np.stack(pages))
PY
printf 'gray,erosion=radius=2\n' >a.chain
printf '0 1 0\n1 -4 1\n0 1 0\n' >m.txt
printf '{"chain":"invert"}\n{"frame":1,"stage":0,"on":false}\n' >r.jsonl
cp "$root/media/sharpen.cl" k.cl
cd .. || exit 1

python3 "$root/tests/faults.py" "$(dirname "$RUNNEL")/runnel-media" "${BUILD:-$root/build/release}/tests/faults.so" \
    in "$root/tests/faults.known"
