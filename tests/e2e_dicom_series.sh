#!/bin/sh
# Which pictures of DICOM folders are read, in which order and where they lie: nothing is mixed or left out unsaid.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT

numpy <<'PY'
import os
import shutil
import cv2
from dicom import directory, place, rescaled, write

S = (9, 11)
mark = {'temporal': (0x20, 0x100, 'IS'), 'trigger': (0x18, 0x1060, 'DS'), 'echo': (0x18, 0x86, 'IS'),
        'acquisition': (0x20, 0x12, 'IS'), 'b': (0x18, 0x9087, 'FD'), 'type': (8, 8, 'CS')}


def slices(folder, n, start=0, prefix='s', **options): # pictures start, start + 1, ... at z = 2 i
    os.makedirs(folder, exist_ok=True)
    for i in range(n):
        given = dict(position=(1, 2, 2 * i))
        given.update({k: v(i) if callable(v) else v for k, v in options.items()})
        write(f'{folder}/{prefix}{i}.dcm', noise(start + i, S), **given)


def two(folder, name, values): # at the same positions
    for k in range(2):
        slices(folder, 4, 4 * k, prefix='ab'[k], number=lambda i: 2 * i + k,
               tags=lambda i: [mark[name] + (values(k, i),)])


slices('preview', 4)
cv2.imwrite('preview/thumb.png', noise(0, (5, 5), np.uint8))
open('preview/notes.txt', 'w').write('nothing\n')
slices('gallery', 1)
for i in range(3):
    cv2.imwrite(f'gallery/p{i}.png', noise(i, (5, 5), np.uint8))
os.mkdir('pictures')
for i in range(3):
    cv2.imwrite(f'pictures/p{i}.png', noise(i, (5, 5), np.uint8))
slices('pictures/inside', 2)

two('temporal', 'temporal', lambda k, i: k + 1)
two('trigger', 'trigger', lambda k, i: 500 * k + 1.5 * i) # times differ from slice to slice
two('echo', 'echo', lambda k, i: k + 1)
two('b', 'b', lambda k, i: 1000. * k)
two('type', 'type', lambda k, i: ('ORIGINAL\\PRIMARY\\M', 'ORIGINAL\\PRIMARY\\P')[k])
two('numbered', 'acquisition', lambda k, i: 1)
slices('alike', 4, prefix='a')
slices('alike', 4, 4, prefix='b')
two('short', 'temporal', lambda k, i: k + 1) # the second lacks its third slice
os.remove('short/b2.dcm')
for k in range(2): # a breath in between
    slices('moved', 4, 4 * k, prefix='ab'[k], position=lambda i: (1, 2, 2 * i + 0.3 * k),
           tags=[mark['acquisition'] + (k + 1,)])
    slices('woven', 4, prefix='ab'[k], position=lambda i: (1, 2, 4 * i + 2 * k), # odd slices, then even ones
           tags=[mark['acquisition'] + (k + 1,)])
def counted(folder, numbers, **options): # without positions: number k has noise(k % 100)
    os.makedirs(folder, exist_ok=True)
    for n in numbers:
        write(f'{folder}/s{n}.dcm', noise(n % 100, S), number=n, **options)


counted('hole', (1, 2, 4, 5))
counted('holes', (101, 103, 105, 111, 113, 115, 117, 121, 123))
counted('anywhere', (7, 8, 9, 10))
counted('byten', (10, 20, 30, 40))
counted('stepless', (1, 3, 4, 8, 9, 15))
counted('few', (1, 3, 4))
counted('blocks', (1, 2, 3, 4, 1001, 1002, 1003))
counted('elsewhere', (1, 2, 4, 5))
write('elsewhere/scout.dcm', noise(9, (20, 30)), number=3)
counted('otherseries', (1, 2, 4, 5))
write('otherseries/x.dcm', noise(9, (20, 30)), number=3, series='1.2.9.9')
counted('still', (1, 2, 3, 5, 6), position=(1, 2, 3))
counted('twice1', (1, 2, 3, 4))
write('twice1/again.dcm', noise(2, S), number=2, instance='1.2.77.2')
slices('cine', 5, position=(1, 2, 3), number=lambda i: i, tags=lambda i: [mark['trigger'] + (40 * i,)])

slices('twice', 4, instance=lambda i: f'1.9.{i}')
os.mkdir('twice/copy')
for i in 1, 2:
    shutil.copy(f'twice/s{i}.dcm', f'twice/copy/x{i}.dcm')
slices('oneuid', 4, instance='1.9', position=lambda i: None) # a careless anonymizer

slices('many/a', 4, series='1.5.1', modality='CT', rescale=(1, -1024))
slices('many/b', 3, 10, series='1.5.2', tags=[(8, 0x103E, 'LO', 'second one')])
sagittal = dict(position=lambda i: (5 * i, 0, 0), orientation=(0, 1, 0, 0, 0, -1))
slices('mixed', 4)
slices('mixed', 2, 20, prefix='z', **sagittal)
slices('tie', 2)
slices('tie', 2, 20, prefix='z', **sagittal)

slices('disc/IMAGES', 4, prefix='IM')
os.rename('disc/IMAGES', 'disc/images')
for i in range(4):
    os.rename(f'disc/images/IM{i}.dcm', f'disc/images/im{i}')
directory('disc/DICOMDIR', [f'IMAGES\\IM{i}' for i in range(4)])
shutil.copytree('disc', 'scratched')
os.remove('scratched/images/im3')
directory('evil', ['..\\..\\etc\\passwd', '\\etc\\passwd', 'a/b', 'IMAGES\\..\\x'])

slices('uneven', 5, position=lambda i: (0, 0, (0, 1, 2.3, 3.3, 4.4)[i]))
slices('thinned', 4, tags=[(0x18, 0x88, 'DS', 1)])
slices('tilted', 4, position=lambda i: (0, 0.5 * i, 2 * i), spacing=(0.5, 0.25),
       tags=[(0x28, 0x1050, 'DS', '40\\300'), (0x28, 0x1051, 'DS', '400\\1500'), (0x18, 0x50, 'DS', 5)])

# Enhanced: the frames lie from the head down, each with a scale of its own.
frames = np.stack([noise(i, S, most=4095) for i in range(4)])
shared = [(0x28, 0x9110, 'SQ', [[(0x28, 0x30, 'DS', '0.75\\0.5'), (0x18, 0x50, 'DS', 3)]]),
          (0x20, 0x9116, 'SQ', [[place((0, 0, 0))[1]]])]


def frame(i, scale=None, time=None, z=None):
    groups = [(0x20, 0x9113, 'SQ', [[place((0, 0, -3 * i if z is None else z))[0]]])]
    if scale:
        groups.append((0x28, 0x9145, 'SQ', [rescaled(*scale)]))
    if time:
        groups.append((0x20, 0x9111, 'SQ', [[(0x20, 0x9128, 'UL', time)]]))
    return groups


def enhanced(path, pixels, groups):
    write(path, pixels, bits=12, tags=[(0x5200, 0x9229, 'SQ', [shared]), (0x5200, 0x9230, 'SQ', groups)])


enhanced('enhanced.dcm', frames, [frame(i) for i in range(4)])
enhanced('scales.dcm', frames, [frame(i, (i + 1, 0, 'HU')) for i in range(4)])
enhanced('times.dcm', frames, [frame(i, time=1 + i % 2, z=i // 2) for i in range(4)])
PY

run runnel render preview/s0.dcm md5: -q
! lacks_gdcm || { skip "series of DICOM: the program was built without GDCM"; finish; }

cat >gives.py <<'PY'
import sys
import numpy as np
from tiff import md5_lines, noise
S = (9, 11)
for line in sys.stdin:
    want, got = md5_lines(eval(line)), open('out').readlines()
    print('yes' if got == want else '%d pictures, not %d, or others' % (len(got), len(want)), flush=True)
PY
start_judge gives.py
gives() { # input, the numbers of the pictures or an expression, options: reads those, with the status $status
    input=$1 wanted=$2
    shift 2
    case $wanted in
    *[!0-9\ ]*) ;;
    *) wanted="[noise(i, S) for i in map(int, '$wanted'.split())]" ;;
    esac
    fails "${status:-0}" '' runnel render "$input" md5: -d none "$@"
    expect_judged "$wanted" "$input $*"
}
refused() { # status, input, options
    code=$1 input=$2
    shift 2
    refuses "$code" '' runnel render "$input" nothing.tif -d none "$@"
}

begin "a preview beside DICOM is left out, and said; more images than DICOM are refused"
: >preview/new.dcm # no slice by its name
gives preview "0 1 2 3"
expect_message "'preview/new.dcm' is empty: it is left out"
expect_message "2 files that are no DICOM are left out, such as 'preview/notes.txt'"
: >preview/s2.dcm
status=6 gives preview "0 1 3"
expect_message "'preview/s2.dcm' is empty"
refused 3 gallery
expect_message '1 DICOM files with pictures and 3 images of other kinds'
gives 'gallery/*.dcm' "0"
ok runnel render pictures md5: -q
expect_eq "pictures of a folder of images" "$(grep -c ' 0 ' out)" 3

begin "two pictures at each position are never interleaved"
refused 2 temporal -f closing=slices=1
expect_message "2 points in time"
for name in b type numbered; do
    refused 3 $name
    expect_message "choose with --time N" "^  2: .*, 4 pictures, '$name/b0.dcm'"
done
gives temporal "0 1 2 3" --time 1
refused 2 temporal --time 3

for name in temporal trigger echo b type numbered; do
    begin "two pictures at each position, told apart by: $name"
    gives $name "0 1 2 3 4 5 6 7" --time all
    gives $name "4 5 6 7" --time 2
done

begin "a time that lacks a slice: counted; pictures that nothing tells apart: refused"
gives short "0 1 2 3" --time 1
black="[noise(4, S), noise(5, S), noise(5, S) * 0, noise(7, S)]"
status=6 gives short "$black" --time 2
expect_message "1 missing frames (slice 3 of time 2 is missing, which 'short/a2.dcm' is at another time)"
refused 3 alike
expect_message "nothing tells which belong together, such as 'alike/a0.dcm' and 'alike/b0.dcm'"
gives cine "0 1 2 3 4"
gives cine "2" --time 3
refused 3 moved
expect_message "between each other's, told apart by their acquisition"
gives moved "4 5 6 7" --time 2
gives woven "0 0 1 1 2 2 3 3"

begin "pictures without positions, or at one place: a hole in numbers that else have one step is counted"
status=6 gives hole "1 2 4 5"
expect_message "between 'hole/s2.dcm' and 'hole/s4.dcm' the instance numbers go from 2 to 4: 1 slice is missing"
status=6 gives holes "1 3 5 11 13 15 17 21 23"
expect_message '3 missing frames' 'from 105 to 111: 2 slices are missing'
status=6 gives still "1 2 3 5 6"
status=6 gives hole "2 4 5" --from 1f --renumber
gives hole "4 5" --from 2f --renumber
ok runnel info hole
status=6 gives otherseries "1 2 4 5" --series 1
for f in anywhere:'7 8 9 10' byten:'10 20 30 40' stepless:'1 3 4 8 9 15' few:'1 3 4' elsewhere:'1 2 4 5'; do
    gives "${f%%:*}" "${f#*:}"
    ! grep 'instance numbers' err || complain "${f%%:*}: no hole is one"
done
gives blocks "1 2 3 4 1 2 3"
expect_message 'instance numbers go from 4 to 1001: pictures may be missing between'

begin "the same picture twice is read once, which is said; one UID for all is no reason"
gives twice "0 1 2 3"
expect_message '2 pictures are there twice and are read once'
gives oneuid "0 1 2 3"

begin "several series: the list, and one of them by number or UID"
refused 3 many
expect_message "^  1: CT 1.5.1, 4 pictures of 11x9 of 16 bits, axial" '^  2: OT 1.5.2 "second one", 3 pictures'
gives many "0 1 2 3" --series 1
expect_message 'rescaled value = 1 \* sample -1024 HU'
gives many "10 11 12" --series 1.5.2
refused 2 many --series 3
refused 2 many --series 1.5
refused 2 preview/thumb.png --series 1
refused 2 preview/thumb.png --time 1

begin "pictures of another direction in a series: the fewer are left out and a loss, halves refused"
gives mixed "0 1 2 3"
expect_message 'lost: .*2 pictures of the series left out (.*here 4): .*sagittal, most are .*--series 2 reads them'
grep -q damaged err && complain "they count as damaged"
status=6 gives mixed "0 1 2 3" --strict
gives mixed "0 1 2 3" --series 1
gives mixed "21 20" --series 2
refused 3 tie
gives tie "21 20" --series 2

begin "a DICOMDIR is what it names; what is not there is counted"
gives disc/DICOMDIR "0 1 2 3"
gives disc "0 1 2 3"
status=6 gives scratched/DICOMDIR "0 1 2"
expect_message "IM3' is named in 'scratched/DICOMDIR', and is not there"
refused 3 evil

begin "enhanced files: each frame has its own place, scale and time"
gives enhanced.dcm "[noise(3 - i, S, most=4095) for i in range(4)]"
gives scales.dcm "[(4 - i) * noise(3 - i, S, most=4095) for i in range(4)]"
expect_message 'scales of their own'
gives times.dcm "[noise(i, S, most=4095) for i in (0, 2, 1, 3)]"
gives times.dcm "[noise(i, S, most=4095) for i in (1, 3)]" --time 2

begin "where the pictures lie"
says 'spacing 0.25 0.5 2.06155 mm, window 40 400' runnel render tilted null: --log-level debug
expect_message 'origin 0 0 0, direction 1 0 0, 0 1 0, 0 0.242536 0.970143'
run runnel render enhanced.dcm null: --log-level debug
expect_message 'spacing 0.5 0.75 3 mm' 'origin 0 0 -9, direction 1 0 0, 0 1 0, 0 0 1'
says 'neighbouring slices are 1 to 1.3 mm apart' runnel render uneven null: --log-level debug
grep -q origin err && complain "uneven slices are no grid"
says 'slices are 2 mm apart, and the headers say 1' runnel render thinned null: -d none
