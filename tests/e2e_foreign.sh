#!/bin/sh
# Healthy files of other programs end with 0 and lose nothing, those with a hole with 6. More are in long_foreign.sh.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

whole() { # files: all of them arrives
    for f; do
        ok runnel render "$f" null:
        ok runnel render "$f" out.mkv -y --strict
    done
}
torn() { for f; do fails 6 '' runnel render "$f" null:; done; } # files

clip v.mp4 lavfi:testsrc2=s=64x48:r=25:d=3 -pix_fmt yuv420p -c:v libx264 -bf 2
clip a.m4a lavfi:sine=440:r=48000:d=3 -c:a alac
clip a.ac3 lavfi:sine=440:r=48000:d=3

merge() { mkvmerge -q --deterministic 1 --cluster-length 100ms -o "$@" >merge.log 2>&1 || complain "$(cat merge.log)"; }
if command -v mkvmerge >/dev/null; then
    begin "pictures of variable rate beside several packets of sound in each block, which have no durations"
    { echo '# timestamp format v2' && seq 0 74 | awk '{print $1 * 40 + ($1 > 30) * 700}'; } >times.txt
    merge laced.mkv --timestamps 0:times.txt v.mp4 a.ac3
    merge alac.mkv v.mp4 a.m4a
    whole laced.mkv alac.mkv

    begin "an attached file of a type that FFmpeg does not know"
    merge attached.mkv --attach-file times.txt --attachment-mime-type text/x-times --attach-file times.txt v.mp4
    whole attached.mkv

    begin "pictures that were made void, or are no element, or of no track"
    python3 - <<'PY'
data = open('laced.mkv', 'rb').read()
clusters = data.split(b'\x1f\x43\xb6\x75')
first, last = (4 * (n - 1) + sum(len(c) for c in clusters[:n]) for n in (9, 13))
size = last - first - 9
open('void.mkv', 'wb').write(data[:first] + b'\xec\x01' + size.to_bytes(7, 'big') + bytes(size) + data[last:])
open('noise.mkv', 'wb').write(data[:first] + bytes(last - first) + data[last:])
block = data.index(b'\xa3', first + 8)
while 0x81 not in data[block + 2:block + 4]: # of the pictures
    block = data.index(b'\xa3', block + 1)
track = data.index(b'\x81', block + 2)
open('track.mkv', 'wb').write(data[:track] + b'\x85' + data[track + 1:])
PY
    torn void.mkv noise.mkv track.mkv
else
    skip "Matroska of other programs: needs mkvmerge"
fi

begin "WavPack: the last packet lasts until the end, though it has no duration"
clip wv.mkv v.mp4 lavfi:sine=440:r=44100:d=3 -c:v copy -c:a wavpack
whole wv.mkv

begin "sound that is encoded anew begins and ends as it is heard, not as its packets say"
clip ra.mkv v.mp4 lavfi:sine=440:r=8000:d=3 -c:v copy -c:a ra_144 -ac 1
clip swf.flv v.mp4 lavfi:sine=440:r=44100:d=3 -c:v copy -c:a adpcm_swf
clip wma.wmv v.mp4 lavfi:sine=440:r=44100:d=3 -c:v wmv2 -c:a wmav2
for f in ra.mkv swf.flv wma.wmv; do
    for e in mp4 ts webm; do
        ok runnel render $f out.$e -y
        ! grep 'sound begins\|sound ends' err || complain "a loss of nothing: $f to $e"
    done
done

begin "RoQ, whose end its demuxer calls an error; one that is cut"
clip x.roq -f lavfi -i testsrc2=s=64x64:d=1:r=30 -f lavfi -i sine=440:r=22050:d=1 -c:v roqvideo -c:a roq_dpcm -ac 2
ok runnel render x.roq null:
for n in 3 9 100; do head -c -$n x.roq >cut$n.roq; done
torn cut3.roq cut9.roq cut100.roq

begin "sound that MPEG-TS announces, and holds nowhere"
clip sound.ts v.mp4 lavfi:sine=440:r=48000:d=3 -c:v copy -c:a aac
python3 - <<'PY'
data = open('sound.ts', 'rb').read()
packets = [data[i:i + 188] for i in range(0, len(data), 188)]
sound, rest = ([p for p in packets if ((p[1] & 31) << 8 | p[2] == 0x101) == is_sound] for is_sound in (True, False))
open('silent.ts', 'wb').write(b''.join(rest))
open('late.ts', 'wb').write(b''.join(rest * 40 + sound))
PY
says "stream 1 (audio, aac) is announced" runnel render silent.ts out.mkv -y --strict
expect_eq "frames" "$(frames_of out.mkv)" 75
fails 2 "begins too late" runnel render late.ts out.mkv -y --probesize 100k
