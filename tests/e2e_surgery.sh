#!/bin/sh
# What was cut out of files so that libav sees nothing wrong: the container itself still tells that it was there.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

clip whole.mkv lavfi:testsrc2=s=64x48:r=25:d=3 lavfi:sine=440:r=44100:d=3 -g 12 -c:v mpeg4 -c:a libmp3lame
for e in mp4 flv avi; do
    [ $e = flv ] && codec=flv1 || codec=copy
    clip whole.$e whole.mkv -c:a copy -c:v $codec
done
clip whole.apng whole.mkv -f apng
clip ordered.mp4 whole.mkv -an -frames:v 8 -c:v libx264 -bf 2 -g 4 -pix_fmt yuv420p
clip whole.m4v whole.mkv -c copy -movflags frag_keyframe+empty_moov -f mp4
clip whole.ogv whole.mkv -c:v libtheora -c:a libvorbis -page_duration 200000
clip whole.mxf whole.mkv -c:v mpeg2video -ar 48000 -c:a pcm_s16le
clip whole.asf whole.mkv -c:a copy -c:v wmv2
clip whole.nut whole.mkv -c copy
clip whole.mov whole.mkv -c:v copy -c:a aac
clip whole.ivf whole.mkv -an -c:v libvpx -deadline realtime
for e in mov mp4 avi; do entries whole.$e a packet=size,pos >sound.$e.csv; done

begin "whole files"
for e in mkv mp4 flv avi apng m4v ogv mxf asf nut mov ivf; do
    ok runnel render whole.$e null: -d none
done

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
for name, gone in (('sound', sound[40:80]), ('lastsound', sound[-40:]), ('middle', pictures[30:50]),
                   ('last', pictures[-20:])):
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

for name, by in (('moretimes', 1), ('fewertimes', -1)):
    data = bytearray(mp4)
    at = data.index(b'stts') + 12
    data[at:at + 4] = (number(data, at) + by).to_bytes(4, 'big')
    save(f'{name}.mp4', data)
at = mp4.index(b'stsz') + 12
less = bytearray(mp4)
less[at:at + 4] = (number(mp4, at) - 1).to_bytes(4, 'big')
save('lesssizes.mp4', less)

ordered = read('ordered.mp4')
at = ordered.index(b'ctts')
ordered[at + 4:at + number(ordered, at - 4) - 4] = bytes(number(ordered, at - 4) - 8)
save('disorder.mp4', ordered)

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

def zeroed(name, data, start, end):
    save(name, data[:start] + bytes(end - start) + data[end:])

# Blocks that were never written: in the middle, and to the end of a file of the announced size.
m4v = read('whole.m4v')
fragments = [m.start() - 4 for m in re.finditer(b'moof', bytes(m4v))]
zeroed('middle.m4v', m4v, fragments[3], fragments[4])
zeroed('rest.m4v', m4v, fragments[3], len(m4v))
# The last fragment, which the index behind it lists.
# Its last packet.
at, end = m4v.rindex(b'mdat') - 4, m4v.rindex(b'mfra') - 4
save('lastpacket.m4v', m4v[:at] + (end - at - 200).to_bytes(4, 'big') + m4v[at + 4:end - 200] + m4v[end:])
save('lastfragment.m4v', m4v[:fragments[-1]] + m4v[m4v.rindex(b'mfra') - 4:])

ogv, pages, at = read('whole.ogv'), [], 0
while at < len(ogv):
    after = at + 27 + ogv[at + 26] + sum(ogv[at + 27:at + 27 + ogv[at + 26]])
    pages.append((at, after, bytes(ogv[at + 14:at + 18])))
    at = after
first, second = pages[0][2], pages[1][2]
heads = {}
for name, serial in (('pictures', first), ('sound', second)):
    own = [p for p in pages if p[2] == serial]
    zeroed(f'{name}.ogv', ogv, *own[len(own) // 2][:2])
    heads[serial] = sum(number(ogv, at + 6, 8, 'little') == 0 for at, _, _ in own)
    save(f'first{name}.ogv', b''.join(ogv[a:b] for a, b, s in pages if (a, b, s) != own[heads[serial]]))
    save(f'last{name}.ogv', b''.join(ogv[a:b] for a, b, _ in pages if (a, b, serial) not in own[-4:]))

kept, seen = b'', dict.fromkeys(heads, 0)
for at, after, serial in pages: # a recording of a live stream
    if not heads[serial] <= seen[serial] < heads[serial] + 2:
        kept += ogv[at:after]
    seen[serial] += 1
save('live.ogv', kept)

mxf = read('whole.mxf')
key = rb'\x06\x0e\x2b\x34\x01\x02\x01\x01\x0d\x01\x03\x01'
for name, kind in (('pictures', rb'\x15'), ('sound', rb'\x16')):
    elements = [m.start() for m in re.finditer(key + kind, bytes(mxf))]
    data, sizes = bytearray(mxf), [20 + number(mxf, at + 17, 3) for at in elements]
    for at, size in list(zip(elements, sizes))[30:40]:
        assert mxf[at + 16] == 0x83
        data[at:at + 4] = bytes(4)
    save(f'{name}.mxf', data)
data = bytearray(mxf)
data[elements[30]:elements[30] + 4] = bytes(4)
save('onesound.mxf', data)

asf = read('whole.asf')
start = asf.index(b'\x36\x26\xb2\x75\x8e\x66\xcf\x11') + 50
size = number(asf, asf.index(b'\xa1\xdc\xab\x8c\x47\xa9\xcf\x11') + 92, 4, 'little')
zeroed('packets.asf', asf, start + 5 * size, start + 8 * size)

nut = read('whole.nut')
zeroed('end.nut', nut, len(nut) * 3 // 4, len(nut) - 500)

# What never was a packet of sound, where the pictures are whole.
def sound_of(name, nth):
    """The bytes of a packet of sound, from its first to behind its last."""
    size, at = (int(n) for n in open(f'sound.{name}.csv').read().split()[nth].split(',')[:2])
    return at, at + size

for e in ('mov', 'mp4', 'avi'):
    zeroed(f'soundzero.{e}', read(f'whole.{e}'), *sound_of(e, 60))
    start, end = sound_of(e, 60)
    data = read(f'whole.{e}')
    data[start:end] = bytes(7 * i & 0x7f for i in range(end - start))
    save(f'soundother.{e}', data)

# Bytes that came in between: the index of an AVI is not where it should be.
avi = read('whole.avi')
at = sound_of('avi', 60)[0] + 30
save('between.avi', avi[:at] + bytes(i * i & 0xff for i in range(1000)) + avi[at:])

ivf, frames, at = read('whole.ivf'), [], 32
while at < len(ivf):
    frames.append(at)
    at += 12 + number(ivf, at, 4, 'little')
# As many as end where a header may begin: else libav takes what follows for another frame.
start, end = next((a, b) for a in frames[20:40] for b in frames[45:60] if (b - a) % 12 == 0)
zeroed('frames.ivf', ivf, start, end)
zeroed('end.ivf', ivf, frames[65], len(ivf))
PY
for f in sound.mkv lastsound.mkv middle.mkv last.mkv lesssizes.mp4 disorder.mp4 sizes.mp4 soundsizes.mp4 \
    times.mp4 chunks.mp4 type.flv deleted.flv end.flv sound.avi images.apng middle.m4v rest.m4v \
    lastfragment.m4v lastpacket.m4v pictures.ogv sound.ogv lastpictures.ogv lastsound.ogv \
    firstpictures.ogv firstsound.ogv pictures.mxf sound.mxf onesound.mxf packets.asf end.nut \
    soundzero.mov soundzero.mp4 soundother.mp4 soundzero.avi soundother.avi between.avi frames.ivf end.ivf; do
    begin "cut out: $f"
    refuses 6 '' runnel render $f null: -d none
done

begin "a recording of a live stream begins anywhere"
ok runnel render live.ogv null: -d none

begin "tables of a movie that differ by a sample, of which none is missing"
for f in moretimes.mp4 fewertimes.mp4; do
    says 'the tables of the movie differ by a sample' runnel render $f null: -d none --metrics m.json -y
    expect_eq "frames of $f" "$(jq .ledger.frames_written m.json)" 75
done

begin "cut out of streams that --map and --drop keep, or leave out"
for f in sound.mkv lastsound.mkv soundsizes.mp4 type.flv deleted.flv sound.avi; do
    fails 6 '' runnel render $f null: -d none --map v --map a
done
for f in sound.mkv lastsound.mkv type.flv sound.avi; do
    ok runnel render $f null: -d none --drop a
done
for f in middle.mkv last.mkv sizes.mp4 end.flv; do
    fails 6 '' runnel render $f null: -d none --drop a
done
for e in mkv mp4 flv avi; do
    ok runnel render whole.$e out.$e -y -d none --drop a
    expect_eq "streams of out.$e" "$(entries out.$e '' stream=codec_type)" video
done

# ---- packets of MPEG-TS and MPEG-PS, which libav does not miss

clip base.mkv lavfi:testsrc2=s=64x48:r=25:d=4 lavfi:sine=440:r=48000:d=4 -g 12 -c:v mpeg2video -bf 2 -c:a mp2 -b:a 384k
clip two.ts base.mkv lavfi:sine=880:r=48000:d=4 -map 0 -map 1 -c copy -c:a:1 ac3
clip two.m2ts two.ts -map 0 -c copy -mpegts_m2ts_mode 1
clip two.mpg two.ts -map 0 -c copy 2>/dev/null
clip two.vob two.ts -map 0 -c copy -f vob 2>/dev/null
clip rate.ts base.mkv -c:v copy -c:a aac -b:a 128k -muxrate 2M -pat_period 0.05
clip segment%d.ts base.mkv -c copy -f segment -segment_time 1
cat segment?.ts >segments.ts
clip pauses.ts lavfi:testsrc2=s=64x48:r=25:d=4 -vf "select='not(between(n,30,40))'" -vsync vfr -c:v mpeg2video

cat >transport.py <<'PY'
def packets(data, size=188):
    return [data[i:i + size] for i in range(0, len(data), size)]
def read(name, size=188):
    return packets(open(name, 'rb').read(), size)
def save(name, kept):
    open(name, 'wb').write(b''.join(kept))
def pid(packet):
    return int.from_bytes(packet[-187:-185], 'big') & 0x1fff
def begins(all, which):
    return [i for i, p in enumerate(all) if pid(p) == which and p[-187] & 0x40] + [len(all)]
def without(all, which, first, n):
    """Without n whole PES packets."""
    at = begins(all, which)
    return [p for i, p in enumerate(all) if pid(p) != which or not at[first] <= i < at[first + n]]
PY
python3 - <<'PY'
from transport import *
whole = read('two.ts')
for name, which, first, n in (('middle', 257, 20, 3), ('one', 257, 20, 1), ('second', 258, 9, 2), ('pictures', 256, 40, 3)):
    save(f'{name}.ts', without(whole, which, first, n))
save('end.ts', without(whole, 257, len(begins(whole, 257)) - 11, 10))
save('middle.m2ts', without(read('two.m2ts', 192), 0x1100, 20, 3))
rate = read('rate.ts')
at = begins(rate, 257)
sizes = [sum(pid(p) == 257 for p in rate[a:b]) for a, b in zip(at, at[1:])]
# 16 packets, or so many that the counters go round.
first, n = next((i, n) for i in range(3, 20) for n in range(1, 17) if sum(sizes[i:i + n]) % 16 == 0)
save('round.ts', without(rate, 257, first, n))
save('paused.ts', without(read('pauses.ts'), 256, 20, 5))
twice, copies = [], 0
for p in whole:
    copies += pid(p) in (256, 257) and p[3] & 0x10 > 0
    twice += [p, p] if copies % 7 == 3 else [p]
save('twice.ts', twice)
null = bytes([0x47, 0x1f, 0xff, 0x15]) + bytes(184)
strange = [bytes([0x47, 0x07, 0x77, 0x10 | i % 5]) + bytes(184) for i in range(10)]
save('null.ts', [q for i, p in enumerate(whole) for q in ([p, null, strange[i % 10]] if i % 3 == 0 else [p])])
def pes(data):
    at = 0
    data += bytes(16)
    while at < len(data) - 16:
        kind, start = data[at + 3], at
        pack = 12 if data[at + 4] >> 4 == 2 else 14 + (data[at + 13] & 7) # MPEG-1, MPEG-2
        at += pack if kind == 0xba else 4 if kind == 0xb9 else 6 + int.from_bytes(data[at + 4:at + 6], 'big')
        yield kind, data[start:at]
for name, wanted, first, n in (('ps.mpg', 0xc0, 20, 1), ('ps2.mpg', 0xbd, 9, 1), ('ps.vob', 0xc0, 30, 2)):
    kept, count = [], 0
    for kind, data in pes(open('two.' + name[-3:], 'rb').read()):
        count += kind == wanted
        if kind != wanted or not first < count <= first + n:
            kept.append(data)
    save(name, kept)
PY

begin "nothing is missing: repeated, null and unknown packets, CBR, other sizes, segments, joins, pauses"
cat two.ts two.ts >joined.ts
for f in two.ts two.m2ts two.mpg two.vob rate.ts twice.ts null.ts segments.ts joined.ts pauses.ts; do
    ok runnel render $f null: -d none --metrics m.json -y
    expect_eq "damage of $f" \
        "$(jq -c '[.frames_missing, .frames_damaged, (.ledger.sound_short_s + 0)]' m.json)" '[0,0,0]'
done

begin "whole packets are missing in a pipe"
for f in one.ts middle.m2ts ps.mpg; do
    stdin=$f fails 6 '' runnel render - null: -d none
done
stdin=twice.ts ok runnel render - null: -d none

for f in middle.ts one.ts second.ts pictures.ts middle.m2ts round.ts paused.ts ps.mpg ps2.mpg ps.vob; do
    begin "whole packets are missing: $f"
    refuses 6 '' runnel render $f null: -d none
done

begin "the sound ends before the pictures, and no packet says that it should not"
says 'the sound ends 0\.[0-9]* s before the pictures: nothing in the file says' \
    runnel render end.ts null: -d none --metrics m.json -y
[ "$(jq '.ledger.sound_short_s > 0.3' m.json)" = true ] || complain "$(jq .ledger m.json)"

begin "a part without the place where something is missing is whole"
ok runnel render middle.ts null: -d none --to 0.5
ok runnel render middle.ts null: -d none --from 2
fails 6 '' runnel render middle.ts null: -d none --from 0.5 --to 3

begin "a whole file is whole from any time on"
for e in mp4 mkv flv avi apng gif ts; do
    [ -f whole.$e ] || clip whole.$e whole.mp4 -an
    ok runnel render whole.$e null: -d none --from 1.5
done
