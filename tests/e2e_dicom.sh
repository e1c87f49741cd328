#!/bin/sh
# DICOM files and series, where the program was built with GDCM.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

numpy <<'PY'
import os, shutil
from dicom import write

S = (37, 29)
short, byte = np.int16, np.uint8
write('u8.dcm', noise(0, S, byte))
write('u12.dcm', noise(0, S, most=4095), bits=12)
write('u16.dcm', noise(0, S))
write('s16.dcm', noise(0, S).astype(short), signed=True, rescale=(1, -1024))
write('s12.dcm', noise(0, S, most=4095), bits=12, signed=True) # the upper bits are no sign
write('high.dcm', noise(0, S, most=4095) << 4 | noise(1, S, most=15), bits=12, high=15)
write('u11.dcm', noise(0, S, most=2047), bits=11)
write('mono1.dcm', noise(0, S, most=4095), bits=12, photometric='MONOCHROME1')
write('multi.dcm', np.stack([noise(i, S) for i in range(5)]))
write('even.dcm', np.stack([noise(i, (38, 30), most=4095) for i in range(3)]), bits=12)
write('evenrgb.dcm', noise(0, (38, 30, 3), byte), photometric='RGB')
write('rgb.dcm', noise(0, S + (3,), byte), photometric='RGB')
write('planar.dcm', noise(0, S + (3,), byte).transpose(2, 0, 1).copy().reshape(S + (3,)), photometric='RGB', planar=1)
write('tall.dcm', noise(0, S), spacing=(0.5, 0.25))
deep = noise(0, S).astype(np.uint32) << 8 | noise(1, S, byte)
write('deep.dcm', deep)
write('sdeep.dcm', deep.astype(np.int32) - (1 << 23), signed=True)
deep[3, 4] = (1 << 24) + 1
write('deeper.dcm', deep)
write('floats.dcm', noise(0, S).astype(np.uint32), tags=[(0x7FE0, 8, 'OF', noise(0, S).astype('<f4').tobytes())])
write('mask.dcm', noise(0, (3,) + S, byte) > 127)
write('noname', noise(0, S))
write('nopalette.dcm', noise(0, S, byte), photometric='PALETTE COLOR')
table = noise(7, (3, 200)) # of 200 colours from 20 on
lut = [(0x28, 0x1101 + c, 'US', (200, 20, 16)) for c in range(3)]
write('palette.dcm', noise(0, S, byte), photometric='PALETTE COLOR',
      tags=lut + [(0x28, 0x1201 + c, 'OW', table[c].astype('<u2').tobytes()) for c in range(3)])
lut = [(0x28, 0x1101 + c, 'US', (200, 20, 8)) for c in range(3)]
write('palette8.dcm', noise(0, S, byte), photometric='PALETTE COLOR',
      tags=lut + [(0x28, 0x1201 + c, 'OW', (table[c] >> 8).astype(byte).tobytes()) for c in range(3)])
write('rgb16.dcm', noise(0, S + (3,)), photometric='RGB')
write('tables.dcm', noise(0, S, byte), tags=[(0x28, 0x3000, 'SQ', [[]]), (0x28, 0x3010, 'SQ', [[]])])


def lut(first, values, bits): # the bytes of LUT Data and what says how to take them
    return [(0x28, 0x3002, 'US', (len(values), first & 0xFFFF, bits)), (0x28, 0x3004, 'LO', 'HU'),
            (0x28, 0x3006, 'OW', values.tobytes())]


table = noise(7, (3, 200)) # of 200 values
write('lut.dcm', noise(0, S, byte), tags=[(0x28, 0x3000, 'SQ', [lut(20, table[0], 16)]),
                                          (0x28, 0x3010, 'SQ', [lut(1000, table[1], 16)])])
write('lut8.dcm', noise(0, S, most=4095), bits=12,
      tags=[(0x28, 0x3000, 'SQ', [lut(20, table[0].astype(byte), 8)])])
write('slut.dcm', noise(0, S).astype(short), signed=True, # below zero, too
      tags=[(0x28, 0x3000, 'SQ', [lut(-100, table[0] >> 4, 12)])])
write('lutframes.dcm', noise(0, (3,) + S, byte), packed=True,
      tags=[(0x28, 0x3000, 'SQ', [lut(20, table[0], 16)])])
write('rle.dcm', noise(0, (3,) + S), packed=True)
write('rlergb.dcm', noise(0, (2,) + S + (3,), byte), photometric='RGB', packed=True)
write('rlergb16.dcm', noise(0, (2,) + S + (3,)), photometric='RGB', packed=True)
write('parts.dcm', noise(0, (3,) + S + (3,)), photometric='RGB', packed=3)
write('planes.dcm', noise(0, (3,) + S + (3,), byte), photometric='RGB', planar=1)
write('ybrs.dcm', noise(0, (2,) + S + (3,), byte), photometric='YBR_FULL')
write('palettes.dcm', noise(0, (3,) + S, byte), photometric='PALETTE COLOR',
      tags=[(0x28, 0x1101 + c, 'US', (200, 20, 16)) for c in range(3)] +
           [(0x28, 0x1201 + c, 'OW', table[c].astype('<u2').tobytes()) for c in range(3)])
whole = bytearray(open('rle.dcm', 'rb').read()) # the second frame says that its segments lie elsewhere
head = b'\x02\0\0\0\x40\0\0\0'
at = whole.index(head, whole.index(head) + 1)
whole[at:at + 12] = b'\x02\0\0\0' + b'\xff' * 8
open('badframe.dcm', 'wb').write(whole)
write('ybr.dcm', noise(0, S + (3,), byte), photometric='YBR_FULL')


def series(folder, order, **options):
    os.mkdir(folder)
    for i in range(12):
        given = {k: v(i) if callable(v) else v for k, v in options.items()}
        write(f'{folder}/{order(i)}', noise(i, S), **given)


os.mkdir('large')
for i in range(9):
    write(f'large/s{i}.dcm', noise(i, (400, 300)))
series('position', lambda i: f'x{(i * 5) % 12:02}.dcm', position=lambda i: (10, 20, 2.5 * i - 7), number=lambda i: 99 - i)
tilt = 0, 0.6, -0.8, 0, 0.8, 0.6 # columns and rows; the normal is x
series('tilted', lambda i: f'IM{(i * 7) % 12}', position=lambda i: (3.0 * i, 5 - i, i), orientation=tilt)
series('number', lambda i: f'x{(i * 5) % 12:02}.dcm', number=lambda i: i + 1)
series('names', lambda i: f's{i + 1}.dcm')
series('scales', lambda i: f's{i + 1}.dcm', rescale=lambda i: (2 if i % 2 else 1, 0))
def mixed(folder, *files): # sizes or samples, and options
    os.mkdir(folder)
    for i, (pixels, options) in enumerate(files):
        write(f'{folder}/s{i}.dcm', pixels, **options)


low, top = noise(0, S, most=4095), noise(1, S, most=4095)
low[0, :2], top[0, :2] = (0, 4095), (4000, 4095)
mixed('offsets', (low, dict(bits=12, rescale=(1, -1024))), (top, dict(bits=12, rescale=(1, 0))))
mixed('wide', (low, dict(bits=12, rescale=(1, -100000))), (top, dict(bits=12, rescale=(1, 0))))
mixed('absurd', *((p, dict(bits=12, rescale=(s, 0))) for p, s in ((low, 1), (top, 1e300))))
mixed('flat', *((p, dict(bits=12, rescale=(0, o))) for p, o in ((low, 1e9), (top, 1e9 + 1))))
mixed('pet', *((p, dict(rescale=(s, 0, 'BQML'), signed=True)) for p, s in ((low, 0.3713), (top, 1.2279))))
mixed('inverted', *((p, dict(bits=12, rescale=(1, o), photometric='MONOCHROME1')) for p, o in ((low, 0), (top, 8))))
small = np.zeros((8, 8), byte)
mixed('liars', *((small, dict(frames=2000000000)) for _ in range(2)))
write('liar.dcm', small, frames=2000000000)
mixed('liar1', (small, {}), (small, dict(frames=2000000000)), (small + 1, {}))
frames = np.stack([noise(i, S) for i in range(5)])
mixed('cutmulti', (frames, dict(number=1)), (frames, dict(number=2)), (frames, dict(number=3)))
whole = open('cutmulti/s1.dcm', 'rb').read()
open('cutmulti/s1.dcm', 'wb').write(whole[:-3000])
place = lambda z: dict(position=(0, 0, z), number=2 + z)
mixed('scout', (noise(9, (50, 60)), dict(position=(0, 0, -50), orientation=(1, 0, 0, 0, 0, -1), number=1)),
      *((noise(2 - i, S), place(2 - i)) for i in range(3)))
series('gap', lambda i: f's{i + 1}.dcm', spacing=(1, 1), position=lambda i: (0, 0, i if i < 6 else i + 2))
write('position/REPORT', noise(0, S))
whole = open('position/REPORT', 'rb').read()
at = whole.index(b'\x28\0\x10\0US')
open('position/REPORT', 'wb').write(whole[:at]) # a header without a picture
open('position/README', 'w').write('Not a picture.\n')
whole = open('multi.dcm', 'rb').read()
open('cut.dcm', 'wb').write(whole[:len(whole) * 3 // 5])
for name in 'u8', 'u12', 'u16', 'rgb', 'multi': # twice as high as there is data for, in an intact file
    whole = open(name + '.dcm', 'rb').read()
    at = whole.index(b'\x28\0\x10\0US') + 8
    rows = int.from_bytes(whole[at:at + 2], 'little')
    open(f'few_{name}.dcm', 'wb').write(whole[:at] + (2 * rows).to_bytes(2, 'little') + whole[at + 2:])
open('header.dcm', 'wb').write(whole[:300])
os.mkdir('two')
shutil.copy('position/x00.dcm', 'two/a.dcm')
write('two/b.dcm', noise(0, S), series='1.2.3.5')
shutil.copytree('names', 'damaged')
write('damaged/s8.dcm', noise(0, (20, 29)))
PY
head -c 900 names/s5.dcm >damaged/s5.dcm

run runnel render u8.dcm md5: -q
if lacks_gdcm; then
    begin "without GDCM: one line that names the package"
    for input in u8.dcm noname names 'names/*.dcm'; do
        refuses 3 libgdcm-dev runnel render "$input" nothing.tif
    done
    skip "DICOM: the program was built without GDCM"
    finish
fi

gone() { # process; what nobody waited for any more is gone, too
    [ ! -e "/proc/$1" ] || grep -q '^State:.*Z' "/proc/$1/status" 2>/dev/null
}
cat >judge.py <<'PY'
import numpy as np
import pages
from tiff import noise
S, byte, short, word, single = (37, 29), np.uint8, np.int16, np.uint16, np.float32
def edges(i):
    v = noise(i, S, most=4095)
    v[0, :2] = (4000, 4095) if i else (0, 4095)
    return v
def colours(table, v):
    return np.moveaxis(table[:, np.clip(v.astype(int) - 20, 0, 199)], 0, 2)
def mapped(first, table, v):
    return table[np.clip(v.astype(int) - first, 0, len(table) - 1)]
def rgb_of(v): # as PS3.3 has it
    y, b, r = (v[..., c].astype(float) - 128 * (c > 0) for c in range(3))
    rgb = y + 1.402 * r, y - 0.114 * 1.772 / 0.587 * b - 0.299 * 1.402 / 0.587 * r, y + 1.772 * b
    return np.clip(np.rint(np.stack(rgb, -1)), 0, 255).astype(byte)
pages.answer(globals())
PY
start_judge judge.py
expect_pages() { # input, number, expression, options of runnel
    input=$1 n=$2 wanted=$3
    shift 3
    ok runnel render "$input" md5: -d none "$@"
    expect_judged "out|$n|$wanted" "$input"
}

while read -r name n wanted; do
    begin "$name.dcm: sample for sample"
    expect_pages $name.dcm $n "$wanted"
done <<'LIST'
u8 1 noise(0, S, byte)
u12 1 noise(0, S, most=4095)
u16 1 noise(0, S)
s16 1 noise(0, S).astype(short)
s12 1 (noise(0, S, most=4095) << 4).astype(short) >> 4
u11 1 noise(0, S, most=2047)
mono1 1 noise(0, S, most=4095)
deep 1 (noise(0, S).astype(np.uint32) << 8 | noise(1, S, byte)).astype(single)
sdeep 1 ((noise(0, S).astype(int) << 8 | noise(1, S, byte)) - (1 << 23)).astype(single)
mask 3 (noise(0, (3,) + S, byte) > 127)[i].astype(byte)
palette 1 colours(noise(7, (3, 200)), noise(0, S, byte))
palette8 1 colours((noise(7, (3, 200)) >> 8).astype(byte), noise(0, S, byte))
rgb16 1 noise(0, S + (3,))
ybr 1 rgb_of(noise(0, S + (3,), byte))
multi 5 noise(i, S)
rgb 1 noise(0, S + (3,), byte)
planar 1 noise(0, S + (3,), byte)
lut 1 mapped(20, noise(7, (3, 200))[0], noise(0, S, byte))
lut8 1 mapped(20, noise(7, (3, 200))[0].astype(byte), noise(0, S, most=4095))
slut 1 mapped(-100, noise(7, (3, 200))[0] >> 4, noise(0, S).astype(short))
lutframes 3 mapped(20, noise(7, (3, 200))[0], noise(0, (3,) + S, byte)[i])
rle 3 noise(0, (3,) + S)[i]
rlergb 2 noise(0, (2,) + S + (3,), byte)[i]
rlergb16 2 noise(0, (2,) + S + (3,))[i]
parts 3 noise(0, (3,) + S + (3,))[i]
planes 3 np.moveaxis(noise(0, (3,) + S + (3,), byte)[i].reshape((3,) + S), 0, 2)
ybrs 2 rgb_of(noise(0, (2,) + S + (3,), byte)[i])
palettes 3 colours(noise(7, (3, 200)), noise(0, (3,) + S, byte)[i])
LIST

begin "fewer samples than the header says are refused, not made up"
for name in u8 u12 u16 rgb multi; do
    fails 3 "few_$name.dcm" runnel render few_$name.dcm md5: -d none -q
done

begin "what was done to the values is said"
says "rescaled value = 1 \* sample -1024" runnel render s16.dcm null:
says "smallest value is white (MONOCHROME1)" runnel render mono1.dcm null:
says "(Modality LUT) that cannot be read: samples are the stored values" runnel render tables.dcm null:
expect_message "(VOI LUT), of which only the range is used"
says "samples are what the file's table makes of the stored values (Modality LUT)" runnel render lut.dcm null:
run runnel info lut.dcm --json
expect_eq "unit and window" "$(jq -c '[.volume.unit, (.volume.window | map(. + 0))]' out)" '["HU",[1000,1199]]'
run runnel render u12.dcm null:
grep -q 'value' err && complain "says something of values that are as stored"

begin "the name does not matter, nor does the pixels' shape get lost"
expect_pages noname 1 "noise(0, S)"
ok runnel render tall.dcm tall.nut --codec rawvideo
expect_eq "aspect" "$(about tall.nut stream=sample_aspect_ratio)" 1:2

for name in position tilted number names; do
    begin "a folder in the order of: $name"
    expect_pages $name 12 "noise(i, S)"
done

begin "a glob, a range, a pattern"
expect_pages 'position/*.dcm' 12 "noise(i, S)"
expect_pages 'names/s%d.dcm' 12 "noise(i, S)"
ok runnel render position range.tif --from 5f --frames 3
expect_judged "range.tif|3|noise(i + 5, S)"

begin "files with offsets of their own: one scale, in which all are exact"
expect_pages offsets 2 "edges(i) + word(1024 * i)"
expect_message 'converted to one: rescaled value = 1 \* sample -1024'
expect_pages inverted 2 "edges(i) + word(8 * i)"
expect_message 'converted to one: rescaled value = 1 \* sample +0'

begin "files with scales that no 16 bits hold: rescaled values as floats"
expect_pages scales 12 "((i % 2 + 1.) * noise(i, S)).astype(single)"
expect_message 'scales of their own'
expect_pages wide 2 "(edges(i) + 100000. * (i - 1)).astype(single)"
expect_pages pet 2 "((0.3713, 1.2279)[i] * edges(i).astype(short)).astype(single)"
expect_message 'samples are rescaled values, as floats'
expect_eq "warnings" "$(grep -c warning err)" 1

begin "a number of frames that cannot be is not believed"
for input in liar.dcm liars; do
    start=$(date +%s)
    refuses 3 '2000000000 pictures, which it cannot' runnel render $input nothing.tif
    [ $(($(date +%s) - start)) -le 4 ] || complain "$input takes $(($(date +%s) - start)) s"
done
fails 6 '1 damaged' runnel render liar1 liar1.tif
expect_judged "liar1.tif|2|np.full((8, 8), i, byte)"

begin "all pictures of a damaged file are counted, as far as they were asked for"
fails 6 '5 damaged' runnel render cutmulti cutmulti.tif
expect_judged "cutmulti.tif|10|noise(i % 5, S)"
fails 6 '2 damaged' runnel render cutmulti null: --from 3f --frames 4
fails 6 '2 damaged' runnel render cutmulti null: --from 8f

begin "most files say what all are, wherever the other one lies"
says "lost: .*1 picture of the series left out (.*here 3).*--series 1 reads it" runnel render scout scout.tif -y
expect_judged "scout.tif|3|noise(i, S)"

# A library that hangs or dies in one file, in the first process that decodes: that may write nothing, so
# that all its files are written before main().
cat >broken.c <<'C'
static int armed;
static volatile char *hung;

__attribute__((constructor)) static void prepare(int argc, char **argv)
{
    if (argc != 2 || strcmp(argv[1], "dicom-worker") != 0)
        return;
    FILE *f = fopen("worker", "w");
    fprintf(f, "%d %d\n", (int)getpid(), (int)getppid());
    fclose(f);
    armed = !unlink("armed");
    int fd = open("hung", O_RDWR);
    if (armed && fd >= 0)
        hung = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
}

int _ZN4gdcm11ImageReader4ReadEv(void *reader)
{
    if (!armed)
        return REAL(_ZN4gdcm11ImageReader4ReadEv)(reader);
    if (!hung)
        abort();
    for (*hung = '1';;)
        pause();
}
C
broken=
make_preload broken && broken=$(preload broken)
hang() { # runnel's arguments: in the background, until it hangs; sets timer, worker and program
    : >armed
    printf 0 >hung
    # The library could not write its marks otherwise.
    env $broken timeout -k 5 $patience "$RUNNEL" "$@" --unconfined >out 2>err &
    timer=$!
    worker='' program=''
    wait_for $patience grep -q 1 hung || complain "it does not come to the library"
    read -r worker program <worker
}

begin "a library that hangs: one Ctrl-C ends it, and nothing outlives the program"
if [ "$broken" ]; then
    for pair in INT:130 KILL:137; do
        sig=${pair%:*}
        hang render u8.dcm hung.tif
        start=$(date +%s)
        kill -$sig $program
        ends $timer ${pair#*:}
        [ $(($(date +%s) - start)) -le 5 ] || complain "SIG$sig: it took $(($(date +%s) - start)) s to end"
        wait_for 5 gone "$worker" || complain "SIG$sig: process $worker is still there"
        expect_no_file hung.tif
    done
else
    skip_this "no C compiler"
fi

begin "the process that decodes has only its own files, and leaves signals to the program"
if [ "$broken" ]; then
    ok runnel render u8.dcm null: --log-level debug
    grep -q 'may make any system call' err && filtered='' || filtered=1
    exec 7<u8.dcm 6>open.out
    hang render names killed.tif
    exec 7<&- 6>&-
    expect_eq descriptors "$(ls "/proc/$worker/fd" | tr '\n' ' ')" "0 1 2 3 4 5 "
    for fd in 0 1 2; do
        expect_eq "descriptor $fd" "$(readlink "/proc/$worker/fd/$fd")" /dev/null
    done
    case $(readlink "/proc/$worker/fd/5") in
    */names/s1.dcm) ;;
    *) complain "its file is $(readlink "/proc/$worker/fd/5")" ;;
    esac
    [ ! "$filtered" ] || expect_eq "filter of system calls" \
        "$(sed -n 's/^Seccomp:[[:blank:]]*//p' "/proc/$worker/status")" 2
    kill -INT "$worker"
    kill -TERM "$worker"
    kill -HUP "$worker"
    gone "$worker" && complain "a signal ended it"

    begin "a process that is killed in the middle of a file: that one is counted, the others are read"
    kill -KILL "$worker"
    ends $timer 6
    expect_message '1 damaged'
    expect_judged "killed.tif|11|noise(i + 1, S)"
else
    skip_this "no C compiler"
fi

begin "a library that dies of a file: that one is counted, the others are read"
if [ "$broken" ]; then
    rm -f hung
    : >armed
    fails 6 '1 damaged' env $broken "$RUNNEL" render names die.tif --unconfined
    expect_judged "die.tif|11|noise(i + 1, S)"
else
    skip_this "no C compiler"
fi

begin "a process that dies between two files: nothing is lost"
child_of() { # process
    sed -n "s/^Pid:[[:blank:]]*//p; s/^PPid:[[:blank:]]*$1\$/child/p" /proc/[0-9]*/status 2>/dev/null |
        grep -B 1 child | head -n 1
}
mkfifo slow.y4m
"$RUNNEL" render large - -q >slow.y4m 2>err &
program=$!
exec 5<slow.y4m
read -r head <&5
worker=$(child_of $program)
switches() { grep ctxt "/proc/${worker:-none}/status"; }
idle() { # all slots are full then, as nobody reads
    before=$(switches)
    sleep 0.5
    [ "$before" = "$(switches)" ]
}
wait_for 20 idle || complain "the process is never idle"
kill -KILL "${worker:-none}" || complain "there is no such process"
{ echo "$head" && cat <&5; } | "$started" render - md5: -q | cut -d' ' -f3 >got
exec 5<&-
ends $program 0
ok runnel render large md5: -q
cut -d' ' -f3 out >want
expect_eq frames "$(wc -l <want)" 9
expect_same got want

begin "a length that cannot be takes no memory"
"$PYTHON" - <<'PY'
import struct
whole = open('u16.dcm', 'rb').read()
at = whole.index(b'\x20\0\x0d\0UI')
claim = struct.pack('<HH2sHI', 0x0019, 0x1010, b'UN', 0, 0xC0000000)
open('claim.dcm', 'wb').write(whole[:at] + claim + whole[at:])
PY
expect_memory 500 3 "$RUNNEL" render claim.dcm null:
expect_message 'cannot be read as DICOM'

begin "a file of many frames that is not compressed is never held whole"
"$PYTHON" -c "
import numpy as np
from dicom import write
from tiff import noise
write('frames.dcm', np.tile(noise(0, (512, 512)), (80, 1, 1)))"
expect_memory 80 0 "$RUNNEL" render frames.dcm null: -d none -q # 40 MiB of frames
rm frames.dcm

begin "of a compressed file only the frame that is damaged is lost"
fails 6 "1 damaged.*frame 2 of 'badframe.dcm' cannot be decoded" runnel render badframe.dcm badframe.tif
expect_judged "badframe.tif|2|noise(0, (3,) + S)[2 * i]"

begin "the hidden command by hand: a usage error, and nothing is done"
for files in '</dev/null' '3<u8.dcm' '3</dev/null 4</dev/null' '3<>byhand.a 4<>byhand.b'; do
    eval 'timeout 20 "$RUNNEL" dicom-worker '"$files" >out 2>err </dev/null
    rc=$?
    expect_refusal 2
    expect_same out /dev/null
done
expect_python - "$RUNNEL" <<'PY'
import os
import socket
import subprocess
import sys
for kind, memory in (socket.SOCK_STREAM, True), (socket.SOCK_SEQPACKET, False):
    a, b = socket.socketpair(socket.AF_UNIX, kind)
    file = os.memfd_create('m') if memory else os.open('u8.dcm', os.O_RDONLY)
    def arrange():
        os.dup2(b.fileno(), 20), os.dup2(file, 21)
        os.dup2(20, 3), os.dup2(21, 4)
    got = subprocess.run([sys.argv[1], 'dicom-worker'], preexec_fn=arrange, close_fds=False, capture_output=True)
    if got.returncode != 2:
        sys.exit(f'status {got.returncode}')
PY
fails 2 '' runnel dicom-worker x

begin "slices that are missing between others are counted"
fails 6 '3 mm: 2 slices are missing' runnel render gap null:
run runnel info gap --json
expect_eq "spacing" "$(jq '.volume.spacing_mm[2] + 0' out)" 1
ok runnel render gap null: --from 6f

begin "several series: status 3"
refuses 3 'several series' runnel render two nothing.tif
expect_message '^  1: OT 1.2.3.4, 1 picture of 29x37 of 16 bits, axial' '^  2: OT 1.2.3.5, 1 picture'

begin "damaged and unlike files are left out and counted"
fails 6 '1 damaged' runnel render damaged damaged.tif
expect_message 'lost: .*1 picture of the series left out (.*here 11)'
expect_judged "damaged.tif|10|noise([0, 1, 2, 3, 5, 6, 8, 9, 10, 11][i], S)"

begin "scales that no float holds, and those that hold nothing"
refuses 3 'beyond what floats hold' runnel render absurd nothing.tif
expect_pages flat 2 "np.full(S, 1e9, single)"

begin "nothing readable: status 3, one line"
for name in cut header deeper high nopalette floats; do
    refuses 3 '' runnel render $name.dcm nothing.tif
done
refuses 3 '' runnel render 'none*.dcm' nothing.tif

begin "compressed files, and other ways to write the same"
if command -v gdcmconv >/dev/null; then
    for name in even evenrgb; do # it does not survive odd sizes
        into want runnel render $name.dcm md5: -q
        for option in --jpeg --j2k --rle --jpegls --implicit; do
            gdcmconv $option $name.dcm other.dcm >conv.out 2>&1 || complain "gdcmconv fails: $(tail -n 1 conv.out)"
            prints want runnel render other.dcm md5: -q
        done
    done
else
    skip_this "gdcmconv (libgdcm-tools) is not installed"
fi

begin "frames behind those that NumberOfFrames counts are a surplus, padding is none"
numpy <<'PY'
from dicom import write
more = np.stack([noise(i, (9, 7)) for i in range(15)])
write('more10.dcm', more, frames=10)
write('more1.dcm', more, frames=1)
write('more1A.dcm', more, frames=1, tags=[(0x28, 0x8, 'IS', '1A')])
write('bits.dcm', np.stack([noise(0, (9, 7)) > 9] * 15), frames=3) # 189 bits of 945
write('odd.dcm', np.ones((3, 3), np.uint8))
write('thin.dcm', np.ones((3, 1), np.uint8))
more[1, 1:] = more[2:] = 0
write('zeros.dcm', more[:2], frames=1)
PY
while read -r file frames bytes; do
    refuses 6 "behind the $frames picture.* that '$file.dcm' announce" runnel render $file.dcm null: -d none --metrics m.json -y
    expect_eq "$file" "$(jq .ledger.bytes_surplus m.json)" $bytes
done <<'LIST'
more10 10 630
more1 1 1764
more1A 1 1764
bits 3 96
zeros 1 126
LIST
for file in odd thin multi mask; do ok runnel render $file.dcm null: -d none; done

begin "compressed frames behind those that NumberOfFrames counts are a surplus, by heads, table or marks"
numpy <<'PY'
from dicom import write
frames = np.stack([noise(i, (10, 8)) for i in range(15)])
write('whole.dcm', frames)
for packed in 1, 2:
    write('packed%d.dcm' % packed, frames, packed=packed)
PY
cp packed1.dcm packed1A.dcm
for kind in jpeg j2k jpegls; do ! command -v gdcmconv >/dev/null || gdcmconv --$kind whole.dcm $kind.dcm; done >conv.out 2>&1
for file in packed1 packed1A packed2 jpeg j2k jpegls; do
    [ -e $file.dcm ] || continue
    frames=10
    [ $file != packed1A ] || frames=1
    ok runnel render $file.dcm null: -d none
    runnel render $file.dcm md5: -q -d none --frames $frames >want
    "$PYTHON" -c "import sys
data = open('$file.dcm', 'rb').read()
assert data.count(b'IS\2\0' + b'15') == 1
open('$file.dcm', 'wb').write(data.replace(b'IS\2\0' + b'15', b'IS\2\0' + b'%-2d' % $frames))"
    fails 6 "behind the $frames picture.* that '$file.dcm' announce" runnel render $file.dcm md5: -q -d none --metrics m.json -y
    expect_same out want
    [ "$(jq .ledger.bytes_surplus m.json)" -gt $(((15 - frames) * 60)) ] || complain "$(jq .ledger m.json)"
done

begin "a Siemens mosaic is its slices, each where it lies"
numpy <<'PY'
import struct
from dicom import write
def csa(name, *values):
    items = [b'%g' % v + bytes(4) for v in values]
    head = name.encode().ljust(64, b'\0') + struct.pack('<i4siii', len(values), b'FD', 4, len(values), 77)
    return head + b''.join(struct.pack('<4i', 0, len(i), 77, 0) + i + bytes(-len(i) % 4) for i in items)
tiles = np.concatenate([np.stack([noise(i, (9, 7)) for i in range(5)]), np.zeros((4, 9, 7), np.uint16)])
whole = tiles.reshape(3, 3, 9, 7).swapaxes(1, 2).reshape(27, 21)
kind = (0x8, 0x8, 'CS', 'ORIGINAL\\PRIMARY\\M\\MOSAIC')
head = b'SV10\4\3\2\1' + struct.pack('<2I', 2, 77) + csa('NumberOfImagesInMosaic', 5) + csa('SliceNormalVector', 0, 0, -1)
count = (0x19, 0x100A, 'US', 5)
# the first tile, of 7x9, lies at 10, 20, 30
place = dict(spacing=(2, 1.5), position=(10 - 1.5 * 7, 20 - 2 * 9, 30), number=1)
gap = (0x18, 0x88, 'DS', '4')
write('mosaic.dcm', whole, tags=[kind, gap, (0x29, 0x1010, 'OB', head)], **place)
write('counted.dcm', whole, tags=[kind, gap, count], **place)
write('untold.dcm', whole, tags=[kind, gap], **place)
np.save('tiles.npy', tiles[:5])
PY
into out runnel render tiles.npy md5: -q
for name in mosaic counted; do
    into $name.md5 runnel render $name.dcm md5: -q
done
expect_same out counted.md5
ok runnel render mosaic.dcm mosaic.npy -q
expect_python -c "
import numpy as np
assert np.array_equal(np.load('mosaic.npy')[::-1], np.load('tiles.npy')), 'other tiles'"
ok runnel info mosaic.dcm --json
expect_eq "place" "$(jq -c '.volume | [.slices, (.spacing_mm, .origin_mm | map(. + 0))]' out)" '[5,[1.5,2,4],[10,20,14]]'
says "lost: .*mosaic lie" runnel render counted.dcm null:
fails 3 'untold.dcm.*is a mosaic of slices' runnel render untold.dcm null:

begin "no bytes of a file end the program otherwise than in order"
"$PYTHON" - <<'PY'
import random
random.seed(3)
for name in 'u12', 'multi', 'rgb':
    whole = open(name + '.dcm', 'rb').read()
    for i in range(3): # the mutants and the fuzzer have thousands
        d = bytearray(whole)
        for _ in range(1 << random.randrange(6)):
            d[random.randrange(132, 700)] = random.randrange(256)
        open(f'odd_{name}{i}.dcm', 'wb').write(d)
PY
for file in odd_*.dcm; do
    run runnel render $file null: -q
    [ $rc = 0 ] || [ $rc = 3 ] || [ $rc = 6 ] || complain "$file: status $rc"
    [ "$(wc -l <err)" -le 2 ] || complain "$file: $(wc -l <err) lines"
done

begin "a file of the input is never overwritten"
cp names/s1.dcm own.tif # the name alone says nothing
fails 2 '' runnel render own.tif own.tif -y
expect_same own.tif names/s1.dcm
for option in --metrics --progress; do
    fails 2 '' runnel stats 'names/s*.dcm' $option names/s1.dcm -y
done
head -c 132 names/s1.dcm | tail -c 4 | grep -q DICM || complain "the input was overwritten"
