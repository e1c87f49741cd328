#!/bin/sh
# What was cut out of files so that libav sees nothing wrong: the container itself still tells that it was there.
. "$(dirname "$0")/lib.sh"

ffmpeg -v error -y -f lavfi -i testsrc2=s=64x48:r=25:d=3 -f lavfi -i sine=440:r=44100:d=3 -g 12 -c:v mpeg4 \
    -c:a libmp3lame whole.mkv
for e in mp4 flv avi; do
    [ $e = flv ] && codec=flv1 || codec=copy
    ffmpeg -v error -y -i whole.mkv -c:a copy -c:v $codec whole.$e
done
ffmpeg -v error -y -i whole.mkv -f apng whole.apng

begin "whole files"
for e in mkv mp4 flv avi apng; do
    run runnel render whole.$e null: -d none
    expect_rc 0
done
end

python3 - <<'PY'
import re

def read(name):
    return bytearray(open(name, 'rb').read())

def save(name, data):
    open(name, 'wb').write(bytes(data))

def number(data, at, size=4, order='big'):
    return int.from_bytes(data[at:at + size], order)

def ebml(data, at):
    """Content and end of the element at at, whose id has n bytes."""
    n = next(n for n in range(1, 5) if data[at] & (0x80 >> (n - 1)))
    m = next(m for m in range(1, 9) if data[at + n] & (0x80 >> (m - 1)))
    start = at + n + m
    return start, start + (number(data, at + n, m) & ((1 << 7 * m) - 1))

mkv, blocks = read('whole.mkv'), []
for cluster in re.finditer(rb'\x1f\x43\xb6\x75', bytes(mkv)):
    at, end = ebml(mkv, cluster.start())
    while at < end:
        start, after = ebml(mkv, at)
        if mkv[at] == 0xa3:
            blocks.append((at, mkv[start] & 0x7f))
        at = after
pictures, sound = ([at for at, track in blocks if track == n] for n in (1, 2))
for name, gone in (('sound', sound[40:80]), ('lastsound', sound[-40:]), ('last', pictures[-20:])):
    data = bytearray(mkv)
    for at in gone:
        data[at] = 0xec # Void
    save(f'{name}.mkv', data)

mp4 = read('whole.mp4')
for name, table, nth, at in (('sizes', b'stsz', 0, 12), ('soundsizes', b'stsz', 1, 12), ('times', b'stts', 0, 12),
                             ('chunks', b'stco', 0, 8)):
    data = bytearray(mp4)
    at += [m.start() for m in re.finditer(table, bytes(data))][nth]
    data[at:at + 4] = (number(data, at) // 2).to_bytes(4, 'big')
    save(f'{name}.mp4', data)

flv, tags, at = read('whole.flv'), [], 13
while at + 11 < len(flv):
    after = at + number(flv, at + 1, 3) + 15
    tags.append((at, after))
    at = after
sound = [t for t in tags if flv[t[0]] == 8]
data = bytearray(flv)
for at, after in sound[40:80]:
    data[at] = 5
save('type.flv', data)
for name, gone in (('deleted', sound[40:80]), ('end', [t for t in tags if flv[t[0]] == 9][40:])):
    save(f'{name}.flv', flv[:13] + b''.join(flv[a:b] for a, b in tags if (a, b) not in gone))

avi = read('whole.avi')
at, end = avi.index(b'movi') + 4, avi.rindex(b'idx1')
n = 0
while at < end:
    n += avi[at:at + 4] == b'01wb'
    if avi[at:at + 4] == b'01wb' and 40 < n < 80:
        avi[at:at + 4] = b'JUNK'
    at += 8 + (number(avi, at + 4, 4, 'little') + 1 & ~1)
save('sound.avi', avi)

apng = read('whole.apng')
frames = [m.start() - 4 for m in re.finditer(b'fcTL', bytes(apng))]
save('images.apng', apng[:frames[20]] + apng[frames[24]:])
PY
for f in sound.mkv lastsound.mkv last.mkv sizes.mp4 soundsizes.mp4 times.mp4 chunks.mp4 type.flv deleted.flv end.flv \
    sound.avi images.apng; do
    begin "cut out: $f"
    run runnel render $f null: -d none
    expect_rc 6
    expect_one_line
    end
done

begin "a whole file is whole from any time on"
for e in mp4 mkv flv avi apng gif ts; do
    [ -f whole.$e ] || ffmpeg -v error -y -i whole.mp4 -an whole.$e 2>ffmpeg.err || complain "$(cat ffmpeg.err)"
    run runnel render whole.$e null: -d none --from 1.5
    expect_rc 0
done
end

finish
