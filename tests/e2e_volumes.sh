#!/bin/sh
# Volumes: what other programs wrote, written in every format, and read by other programs again.
# WHOLE=1 has more classes of .mat and more files with a surplus.
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
. "$root/tests/volumes.sh"

expect_every_volume <<'LIST'
ct.nii.gz ct nii,nii.gz,nrrd,nhdr,mha,mhd,npy,tif,dcm
from_ct.mhd,ct.nrrd ct nii.gz
qform.nii,pair.hdr,big.nii,apart.mhd,hex_apart.nhdr,bzip2_apart.nhdr ct nrrd
real.nii real nii,nrrd,mha,npy,tif
times.nii times nii,nrrd,mha,npy,tif,dcm
colour.nii colour nii,nrrd,mha,npy,tif,dcm
apart.nhdr,hex.nrrd ct mha
ascii.nrrd ct nii
words.nrrd,words_apart.nrrd,words.mha,words_apart.mha plain npy
digits.nrrd,streams.nrrd deep npy
hyper.tif channels nrrd,tif,npy,nii
ome.ome.tif channels nrrd,tif
pyramids.tif deep tif,npy,dcm
deep.npy deep nii,nrrd
fortran.npy deep tif
slice.npy first npy
colour.nrrd rgb npy
ct.dicom ct nii.gz,mha
ct.mat signed nrrd,tif
new.mat signed npy
four.mat rounded npy
packedtimes.mat film npy
echoes.mat heard npy
coils.cfl loud npy
coils.hdr coil nrrd --channel 2
many.cfl coil mha --series 2 --channel 1
vector.nrrd,vector.mha,pixels.tif,layers.tif vector npy
hyper.tif some npy --channel 2-
hyper.tif one mha --channel 3 --time 2
scrambled.ome.tif,part?.ome.tif channels npy
images.ome.tif deep nrrd --series preview
LIST

if [ -e from_ct_00.dcm ]; then
    begin "derived DICOM: values, place and order in nii,nrrd,mha,tif"
    for ext in nii nrrd mha tif; do
        ok runnel render 'from_ct_*.dcm' "from_ct.$ext" -y -q
        expect_volume "from_ct.$ext" ct
    done
    ok runnel render 'from_times_*.dcm' one.nii --time 2 -q
    for reader in pydicom gdcm; do
        python3 -c "import $reader" 2>/dev/null || skip "derived DICOM as $reader reads it: it is not installed"
    done
    command -v dcmdump >/dev/null || skip "derived DICOM as dcmtk reads it: it is not installed"
else
    skip "derived DICOM: the program was built without GDCM"
fi

while read -r input volume outputs; do
    begin "$input deflated: $outputs"
    for ext in $outputs; do
        ok runnel render "$input" "packed_$volume.$ext" -y -q --compression deflate:9
        expect_volume "packed_$volume.$ext" "$volume"
        ok runnel render "packed_$volume.$ext" "packed_$volume.npy" -y -q
        expect_volume "packed_$volume.npy" "$volume"
    done
done <<'LIST'
ct.nii.gz ct nrrd nhdr mha mhd nii.gz
real.nii real nrrd mha
times.nii times nrrd
colour.nii colour mha
LIST

begin "compressed pieces of several threads are one stream, which others unpack"
numpy <<'PY'
n = np.arange(40 * 200 * 150, dtype=np.uint32).reshape(40, 200, 150)
np.save('long.npy', (n // 50 % 1000).astype(np.uint16))
PY
for threads in 1 4; do
    for ext in nrrd mha nii.gz; do
        ok runnel render long.npy long_$threads.$ext -q -y --compression deflate:1 --threads $threads
    done
done
for ext in nrrd mha nii.gz; do expect_same long_1.$ext long_4.$ext; done
expect_eq "read by nibabel, unu and zlib" "$(python3 - <<'PY'
import nibabel, numpy as np, subprocess, zlib
want = np.load('long.npy')
print(np.array_equal(np.asarray(nibabel.load('long_4.nii.gz').dataobj).T, want))
body = subprocess.run(['teem-unu', 'save', '-f', 'nrrd', '-e', 'raw', '-i', 'long_4.nrrd', '-o', '-'],
                      capture_output=True, stdin=subprocess.DEVNULL).stdout.split(b'\n\n', 1)[1]
print(body == want.tobytes())
head, body = open('long_4.mha', 'rb').read().split(b'LOCAL\n', 1)
print(zlib.decompress(body) == want.tobytes(), len(body) < want.nbytes / 2,
      int(head.split(b'CompressedDataSize = ')[1].split(b'\n')[0]) == len(body))
PY
)" 'True
True
True True True'

begin "--compression: what a format cannot have is refused, with what it can"
while read -r output kind takes; do
    refuses 2 "takes --compression $takes, not $kind" runnel render deep.npy no.$output --compression $kind
done <<'LIST'
nrrd lzw none or deflate
nhdr zstd none or deflate
mha packbits none or deflate
nii deflate none (no level)
nii.gz none deflate
npy deflate none (no level)
LIST

begin "a header is as long as what it says; one whose count was a guess has blanks in front of it"
run runnel render ct.nrrd head.nrrd -q -y
run runnel render ct.nrrd head.mha -q -y
for file in head.nrrd head.mha; do
    text=$(head -c 300 $file | tr -d '\000' | tr '\n' '|')
    case $text in
    *'  '* | *'||'*'||'* | *'...'*) complain "$file: $text" ;;
    esac
done
ok runnel render times.nii few.nrrd --frames 7 -q -y
make_clip guess.mkv 0.2
ok runnel render guess.mkv guess.nrrd -f format=gray -q -y
expect_eq "sizes" "$(teem-unu head guess.nrrd | grep sizes | tr -s ' ')" 'sizes: 64 48 1 5'

begin "a volume goes through a pipe; a count that was a guess is not put right there, and it is said"
mkfifo through.npy
for input in times.nii lavfi:testsrc2=size=64x48:rate=5:duration=1; do
    ok runnel render $input direct.npy -f format=gray -q -y
    cat through.npy >piped.npy &
    says "$(case $input in lavfi*) echo 'header says 1 pictures, and 5 follow' ;; esac)" \
        runnel render $input through.npy -f format=gray
    ends $! 0
    tail -c +257 direct.npy >direct && tail -c +257 piped.npy >piped
    expect_same piped direct
done

refused() { # status, words, input, options: one line or, where a list follows, more
    status=$1 words=$2
    shift 2
    fails "$status" "$words" runnel render "$@" nothing.npy -y
    expect_no_file nothing.npy
}

begin "what holds several volumes is refused with their list"
refused 3 "'two.mat'.*several arrays: choose with --series" two.mat
expect_message '  2: mask, 7x9x5 uint8' '  4: list, 1x3 float64'
refused 2 "no such array" two.mat --series 5
refused 3 "2 to 4 axes" two.mat --series cell
refused 3 "holds no array" none.mat
refused 3 "five, 2x2x2x2x2" none.mat --series five
refused 3 'int32.*24 bits' wide.mat
{
    printf 'NRRD0004\ntype: short\ndimension: 4\nsizes: 2 4 3 2\nkinds: complex domain domain domain\n'
    printf 'endian: little\nencoding: raw\n\n'
    head -c 96 /dev/zero
} >shorts.nrrd
refused 3 'complex samples of' shorts.nrrd --complex parts
refused 3 '3 of what these are: choose with --series' many.cfl
expect_message '  3: TE 3'
refused 3 '  2: MAPS 2' maps.cfl
refused 2 '  2: MAPS 2' maps.cfl --series 4
refused 3 "several images.*choose with --series" images.ome.tif
expect_message '  2: preview, 9x7, 5 slices'
refused 2 "no such image" images.ome.tif --series 3

begin "channels and times are chosen where there are some"
refused 2 "has channels 1 to 3" hyper.tif --channel 4
refused 2 "has channels 1 to 3" hyper.tif --channel 2-5
refused 2 "has points in time 1 to 2" hyper.tif --time 3
refused 2 "has one channel (planes=" colour.nii --channel 2
refused 2 "is no volume.*--channel" "$root/media/clip.mp4" --channel 1
refused 2 "--time" ct.dicom --channel 1
refused 2 "nothing to choose with it" deep.npy --series 1
refused 2 "nothing to choose with it" hyper.tif --series 1
for option in --time --channel --series --complex; do
    text=1 && [ $option != --complex ] || text=parts
    for gone in gone.nii gone.png 'gone_%02d.png' gone_folder/gone; do
        refused 3 "No such file\|no image file is named" "$gone" $option $text
        expect_one_line
    done
done
refused 3 "gone.nii.*No such file" gone.nii --map v
refused 3 "no image file is named" 'gone_%02d.png' --map v
refused 2 "pictures alone" deep.be --raw 9x7x5:u16be --drop a
for text in 0 x 1, 3-2 1-2-3 '' -1 all,1; do
    refused 2 "--channel.*takes" hyper.tif --channel="$text"
    expect_one_line
done

begin "a filter across frames reaches into no other channel or time"
refused 2 "3 channels and 2 points in time.*choose with --channel and --time" hyper.tif -f closing=slices=1
refused 2 "3 points in time" times.nii -f closing=slices=1
ok runnel render hyper.tif one.npy -f closing=slices=1 --channel 1 --time 1

begin "pictures from within a time are slices without a place, and it is said"
for ext in nii nrrd mha npy tif; do
    says 'lost: .*no whole channels and times' runnel render times.nii part.$ext --from 1f -y
done
ok runnel render times.nii part.nii --from 4f -y --strict

begin "several data files of NRRD and MetaImage: lists, patterns, packed and not; one too long, one too few"
mkdir list
python3 - <<'PY'
import gzip
head = "NRRD0004\ntype: short\ndimension: 3\nsizes: 9 7 4\nendian: little\nencoding: %s\n%s"
data = [bytes(range(126)), bytes(range(126, 252)), bytes(126), b"ab" * 63]
for i, d in enumerate(data):
    open(f"list/f{i}.raw", "wb").write(d)
    open(f"list/s{i}.raw", "wb").write(b"line\nxyz" + d)
    open(f"list/g{i}.gz", "wb").write(gzip.compress(d + b"more" * (i == 1)))
names = lambda kind: "LIST\n" + "".join(kind % i for i in range(4))
for name, encoding, more in (("list", "raw", "data file: " + names("f%d.raw\n")), ("pattern", "raw", "data file: ./f%01d.raw 0 3 1\n"),
                             ("down", "raw", "data file: f%d.raw 3 0 -1\n"), ("few", "raw", "data file: f%d.raw 1 4 1\n"),
                             ("skip", "raw", "line skip: 1\nbyte skip: 3\ndata file: s%d.raw 0 3 1\n"),
                             ("long", "gzip", "data file: LIST 2\n" + names("g%d.gz\n")[5:]),
                             ("away", "raw", "data file: LIST\n../list/f0.raw\n")):
    open(f"list/{name}.nhdr", "w").write(head % (encoding, more))
open("list/one.nrrd", "wb").write((head % ("raw", "\n")).encode() + b"".join(data))
meta = "ObjectType = Image\nNDims = 3\nDimSize = 9 7 4\nElementType = MET_SHORT\nElementDataFile = "
open("list/list.mhd", "w").write(meta + names("f%d.raw\n"))
open("list/pattern.mhd", "w").write(meta + "f%d.raw 0 3 1\n")
PY
into list/wanted runnel render list/one.nrrd md5: -q
for f in list.nhdr pattern.nhdr skip.nhdr list.mhd pattern.mhd; do prints list/wanted runnel render list/$f md5: -q; done
into list/down.md5 runnel render list/down.nhdr md5: -q
expect_eq "downwards" "$(cut -d ' ' -f 3 list/down.md5)" "$(cut -d ' ' -f 3 list/wanted | tac)"
fails 6 '4 bytes more than its header announces' runnel render list/long.nhdr null: -q
fails 6 "1 missing" runnel render list/few.nhdr null: -q
refused 3 "only a file beside it" list/away.nhdr

begin "an OME-TIFF opens only files beside it, and counts what is not there"
refused 3 "only a file beside it" away.ome.tif
fails 6 '' runnel render lost.ome.tif lost.npy -q
ok runnel info lost.ome.tif
mkdir apart
cp part1.ome.tif apart
fails 6 '24 pictures, of which 12 are not there' runnel render apart/part1.ome.tif lost.nrrd
cp bare0.ome.tif apart
refused 3 "description is in 'apart/whole.companion.ome'" apart/bare0.ome.tif

begin "a .mat that breaks the library that reads it is refused"
python3 - <<'PY'
import random
random.seed(4)
for name in "ct.mat", "packed.mat", "new.mat":
    whole = open(name, "rb").read()
    for n in range(2):
        data = bytearray(whole[:random.choice((len(whole), len(whole) * 2 // 3))])
        for _ in range(30):
            data[random.randrange(4, min(len(data), 3000))] = random.randrange(256)
        open("mutant_%d_%s" % (n, name), "wb").write(data)
PY
for file in mutant_*.mat; do
    run runnel render "$file" null: -q
    case $rc in 0 | 3 | 6) ;; *) complain "$file ends with status $rc" ;; esac
done
fails 2 '' runnel mat-worker -1 0 ct.mat

begin "compressed arrays of a .mat: classes stored as any type are what scipy reads; surplus is counted"
python3 - <<'PY'
import hashlib, itertools, numpy as np, os, scipy.io, struct, zlib
types = {1: 'i1', 2: 'u1', 3: 'i2', 4: 'u2', 5: 'i4', 6: 'u4', 7: 'f4', 9: 'f8', 12: 'i8', 13: 'u8'}
classes = {6: 'f8', 7: 'f4', 8: 'i1', 9: 'u1', 10: 'i2', 11: 'u2', 12: 'i4', 13: 'u4', 14: 'i8', 15: 'u8'}
def write(name, end, samples, kind, cls, packed, tail=b'', imaginary=None):
    part = lambda kind, data: struct.pack(end + 'II', kind, len(data)) + data + bytes(-len(data) % 8)
    body = part(6, struct.pack(end + 'II', cls | (imaginary != None) << 11, 0)) + part(5, struct.pack(end + '3i', 5, 6, 2)) + part(1, b'a')
    data = part(14, body + part(kind, samples) + (part(*imaginary) if imaginary else b''))
    data = struct.pack(end + 'II', 15, len(zlib.compress(data))) + zlib.compress(data) if packed else data
    flag = b'IM' if end == '<' else b'MI'
    open(name, 'wb').write(b'MATLAB 5.0 MAT-file'.ljust(124) + struct.pack(end + 'H', 0x100) + flag + data + tail)
for i, (cls, kind) in enumerate(itertools.product(classes, types)):
    both, end = types[kind][0] + classes[cls][0], '<>'[i % 5 % 2]
    if i % (3 if os.environ.get('WHOLE') else 7):
        continue
    v = np.arange(60) * (1.5 if both == 'ff' else 1) - (0 if 'u' in both else 20)
    name = 'c%d_%d.mat' % (cls, kind)
    also = (kind, (v[::-1] // 2).astype(end + types[kind]).tobytes()) if i % 2 and cls < 8 else None
    write(name, end, v.astype(end + types[kind]).tobytes(), kind, cls, True, imaginary=also)
    out = scipy.io.loadmat(name)['a']
    out = np.hypot(out.real, out.imag).astype('f4') if also else out.astype({'i1': 'i2', 'u1': 'u1', 'i2': 'i2', 'u2': 'u2'}.get(classes[cls], 'f4'))
    with open(name + '.md5', 'w') as f:
        for t in range(2):
            f.write('%d 0 %s\n' % (t, hashlib.md5(out[:, :, t].tobytes()).hexdigest()))
for packed in 0, 1:
    write('wide%d.mat' % packed, '<', bytes(range(120)), 4, 11, packed)
    write('part%d.mat' % packed, '<', bytes(range(80)), 2, 9, packed)
    write('tail%d.mat' % packed, '<', bytes(60), 2, 9, packed, bytes(range(1, 61)))
    write('pad%d.mat' % packed, '<', bytes(60), 2, 9, packed, bytes(512))
scipy.io.savemat('others.mat', {'b': np.ones((5, 6, 2)), 'c': 'text'}, do_compression=True)
PY
for file in c*_*.mat; do prints $file.md5 runnel render $file md5: -q -d none; done
for file in part0:20 part1:20 tail0:60 tail1:60; do
    fails 6 "behind the 2 pictures that '${file%:*}.mat' announces" runnel render ${file%:*}.mat null: --metrics m.json -y
    expect_eq "$file" "$(jq .ledger.bytes_surplus m.json)" ${file#*:}
done
for file in wide0 wide1 pad0 pad1 others; do ok runnel render $file.mat null:; done

begin "slope, intercept and what floats mean by black and white are carried on"
run runnel render ct.nii.gz a.mha -q
run runnel render a.mha b.tif -q
run runnel render b.tif c.nrrd -q
run runnel render c.nrrd d.nii.gz -q
expect_eq "slope" "$(python3 -c 'import nibabel; d = nibabel.load("d.nii.gz").dataobj
print(d.slope, d.inter)')" '2.0 -1024.0'

begin "samples without a header"
while read -r file raw; do
    ok runnel render "$file" raw.npy --raw "$raw" -y -q
    expect_volume raw.npy deep
done <<'LIST'
deep.be 9x7x5:u16be
deep.be 9x7:u16be
deep.behind 9x7x5:u16le+100
LIST
fails 6 'breaks off behind picture 5 of 6' runnel render deep.be raw.npy --raw 9x7x6:u16be -y
for raw in 9x7x6:u16be 9x7x5:u16be+1 9x7x5:u32be 9x7:u16be+10000; do
    refuses 3 '' runnel info deep.be --raw $raw
done
expect_message 'no whole number of pictures'
fails 3 'has 630 bytes of samples, and --raw 9x7x6:u16be makes them 756' runnel info deep.be --raw 9x7x6:u16be
says 'warning: .*126 bytes behind the pictures of --raw are left out' runnel info deep.be --raw 9x7x4:u16be
head -c 65 deep.be >odd.raw
says 'warning: .*1 byte behind the pictures of --raw is left out' runnel info odd.raw --raw 8x8x1:u8
head -c -10 deep.npy >short.npy
says 'warning: .*is cut off: its header says 630 bytes of samples, and 620 follow' runnel info short.npy
for file in deep.npy ct.nrrd ct.nii.gz apart.nhdr apart.mhd fortran.npy hyper.tif vector.nrrd coils.cfl ct.mat pair.hdr; do
    ok runnel info $file
    ! grep 'cut off' err || complain "$file is said to be"
done
for raw in 9x7 9x7:u16 9x7:u17le 0x7:u8 9x7x5:u16le+x 9x7x5x2:u8; do
    refuses 2 '' runnel render deep.be raw.npy --raw $raw -y
done

begin "whole numbers of 64 bits, complex numbers"
refuses 3 'int64.*24 bits' runnel render wide.npy w.npy
ok runnel render signed.npy w.npy -q
for file in complex.npy complex.cfl complex.hdr; do
    says 'lost: .*magnitude' runnel render $file c.npy -y
    expect_eq "magnitudes" "$(python3 -c 'import numpy; print(numpy.load("c.npy").ravel().tolist())')" \
        '[5.0, 0.0, 1.0, 5.0, 6.0, 10.0]'
done

begin "the parts of complex numbers are two planes, kept by what can hold them"
for input in coils.cfl echoes.mat complex.npy; do
    ok runnel render $input parts.npy --complex parts -y -q --strict
    for ext in nii nrrd; do
        run runnel render parts.npy parts.$ext --complex parts -y -q
        run runnel render parts.$ext again.npy --complex parts -y -q
        cmp -s parts.npy again.npy || complain "$input: .$ext has other values"
    done
    mkdir "parts_$input"
    mv parts.npy parts.nii "parts_$input"
done
numpy <<'PY' || complain "other values"
import nibabel, numpy as np, scipy.io
whole = np.fromfile("coils.cfl", "c8").reshape(2, 3, 4, 7, 9).transpose(0, 2, 1, 3, 4)
want = {"coils.cfl": whole, "complex.npy": np.load("complex.npy")[None],
        "echoes.mat": scipy.io.loadmat("echoes.mat")["echoes"].transpose(3, 2, 0, 1)}
for name, array in want.items():
    got = np.load("parts_%s/parts.npy" % name)
    nii = np.asarray(nibabel.load("parts_%s/parts.nii" % name).dataobj).T
    nii = nii if nii.ndim < 5 else nii.transpose(1, 2, 0, 3, 4)
    if got.dtype != np.complex64 or not np.array_equal(got, array) or not np.array_equal(nii, got):
        sys.exit(name)
PY
run runnel stats complex.npy --complex parts -p 3 -q
expect_eq "norms of the complex values" \
    "$(awk -F, '$3 == 2 {print $8, $9, $10, $11}' out)" "27 13.67479433 11.36257348 10"
run runnel stats complex.npy --complex magnitude -p 3 -q
expect_eq "norms of the magnitudes" "$(awk -F, 'NR > 1 {print $8, $9, $10, $11}' out)" "27 13.67479433 11.36257348 10"
for output in parts.mha parts.tif parts.png parts.mkv; do
    refuses 2 'complex' runnel render complex.npy $output --complex parts -y
done
fails 2 '' runnel render complex.npy parts.npy --complex parts -f gray -y
fails 2 'holds no complex numbers' runnel render deep.npy parts.npy --complex parts -y

begin "a range of slices has another origin"
ok runnel render ct.nrrd some.nrrd --from 2f --to 4f -q
run runnel render ct.nrrd all.nii -q
run runnel render ct.nrrd 'some_%02d.dcm' --from 2f --to 4f -q
if [ $rc = 0 ]; then
    run runnel render 'some_*.dcm' some_dicom.nrrd -q
    run runnel render ct.nrrd 'counted_%02d.dcm' --from 2f --to 4f --renumber -q
    run runnel render 'counted_*.dcm' some_counted.nrrd -q
    for n in some some_dicom some_counted; do
        run runnel info $n.nrrd --json
        jq -c '.volume | [.slices, (.origin_mm | map(. * 1e6 | round))]' out >$n.place
    done
    expect_same some.place some_dicom.place
    expect_same some.place some_counted.place
fi
for n in some all; do run runnel render $n.n* $n.nii.gz -q -y; done
expect_eq "origin" "$(python3 - <<'PY'
import nibabel, numpy as np
some, whole = nibabel.load('some.nii.gz'), nibabel.load('all.nii.gz')
print(some.shape, np.allclose(some.affine[:3, 3], (whole.affine @ [0, 0, 2, 1])[:3]),
      np.array_equal(some.get_fdata(), whole.get_fdata()[:, :, 2:4]))
PY
)" '(9, 7, 2) True True'

begin "cropped, turned and scaled slices keep their place"
ok runnel render ct.nrrd crop.nii --crop 4x3+2+1 --strict
ok runnel render ct.nrrd turned.nii --rotate 90 --strict
ok runnel render deep.npy scaled.nii --scale 18x14 -q
expect_eq "what is left" "$(python3 - <<'PY'
import nibabel, numpy as np
whole = nibabel.load('all.nii')
for name, want, at in (('crop', whole.get_fdata()[2:6, 1:4], (3, 3, 3, 1)),
                       ('turned', whole.get_fdata()[:, ::-1].swapaxes(0, 1), (2, 5, 3, 1))):
    got = nibabel.load(name + '.nii')
    print(np.array_equal(got.get_fdata(), want), [float(z) for z in got.header.get_zooms()],
          np.allclose(got.affine @ [1, 2, 3, 1], whole.affine @ at, atol=1e-5))
PY
)" "True [0.75, 0.5, 2.5] True
True [0.5, 0.75, 2.5] True"
refuses 2 'signed samples, which cannot be scaled' runnel render ct.nrrd scaled.nii --scale 18x14 -y

begin "what is cut off is counted"
fails 6 "picture 5 of 'cut.nii' is not whole" runnel render cut.nii cut.nrrd
fails 6 '' runnel render ends.nii ends.nrrd
fails 6 'compressed\|breaks off\|not whole' runnel render cut.nii.gz null:

while read -r file words; do
    fails 6 "$words" runnel render $file broken.npy -y
done <<'LIST'
large.nrrd picture 2 .*is no number that its type holds
letters.nrrd picture 2 .*is no number that its type holds
g.nrrd picture 5 .*hexadecimal digits are broken
broken.nrrd compressed data is broken
LIST
run runnel render fraction.mha fraction.npy -q
expect_eq "numbers" "$(python3 -c 'import numpy; print(numpy.load("fraction.npy").ravel()[:4].tolist())')" '[-128, 1, 30, 7]'

begin "samples behind those that a header announces are counted, padding is none"
python3 - <<'PY'
import bz2, gzip, nibabel, numpy as np
whole = np.arange(1, 1 + 24 * 7 * 9, dtype=np.uint16).reshape(24, 7, 9)
nibabel.save(nibabel.Nifti1Image(whole.T, np.eye(4)), 'more.nii')
nii = bytearray(open('more.nii', 'rb').read())
nii[46] = 12
np.save('more.npy', whole)
meta = b'NDims = 3\nDimSize = 9 7 12\nElementType = MET_USHORT\nElementDataFile = '
nrrd = b'NRRD0004\ntype: ushort\ndimension: 3\nsizes: 9 7 12\nendian: little\nencoding: '
head = {'nii': nii[:-whole.nbytes], 'mha': meta + b'LOCAL\n', 'nrrd': nrrd + b'raw\n\n', 'raw': b'',
        'npy': open('more.npy', 'rb').read()[:128].replace(b'(24,', b'(12,')}
half, body = whole[:12].tobytes(), whole.tobytes()
behind = {'more': body[len(half):], 'row': b'x' * 18, 'zeros': bytes(126),
          'padded': bytes(125), 'part': b'x' * 17, 'healthy': b''}
for name, tail in behind.items():
    for ext, text in head.items():
        open(name + '.' + ext, 'wb').write(text + half + tail)
    open(name + '.nii.gz', 'wb').write(gzip.compress(bytes(nii[:-len(body)]) + half + tail) + bytes(500))
    numbers = np.frombuffer(half + tail[:len(tail) & -2], np.uint16)
    for kind, packed in (b'gzip', gzip.compress(half + tail)), (b'bzip2', bz2.compress(half[:800]) + bz2.compress(half[800:] + tail)), (
            b'hex', (half + tail).hex().encode()), (b'ascii', ' '.join(map(str, numbers)).encode()):
        open(name + '-%s.nrrd' % kind.decode(), 'wb').write(nrrd + kind + b'\n\n' + packed)
    open(name + '.mhd', 'wb').write(meta + name.encode() + b'.raw\n')
    open(name + '.nhdr', 'wb').write(nrrd + b'raw\ndata file: ' + name.encode() + b'.raw\n')
flip = lambda packed, at: packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1:]
open('once.nrrd', 'wb').write(nrrd.replace(b'9 7', b'300 200') + b'bz2\n\n' + bz2.compress(np.random.bytes(1440000)))
for name, data in {'sum.nii.gz': flip(gzip.compress(bytes(nii[:-len(body)]) + half, 0), -99),
                   'end.nii.gz': gzip.compress(bytes(nii[:-len(body)]) + half)[:-5],
                   'sum.nrrd': nrrd + b'bzip2\n\n' + flip(bz2.compress(half), -3),
                   'odd.nrrd': nrrd + b'hex\n\n' + half.hex().encode() + b'7\n'}.items():
    open(name, 'wb').write(data)
PY
for file in nii nii.gz mha mhd npy nrrd nhdr; do
    for name in part healthy ${WHOLE:+padded}; do ok runnel render $name.$file null:; done
    for name in more zeros ${WHOLE:+row}; do
        refuses 6 "behind the 12 pictures that '$name.*' announces" runnel render $name.$file null: --metrics m.json -y
        expect_eq "$name.$file" "$(jq .ledger.bytes_surplus m.json)" "$(($(stat -c %s $name.raw) - 1512))"
    done
    ok runnel render more.$file null: --to 11f
done
for kind in gzip bzip2 hex ascii; do
    fails 6 "1512 bytes, as many as 12 pictures" runnel render more-$kind.nrrd null:
    for name in padded part healthy; do ok runnel render $name-$kind.nrrd null:; done
    head -c -200 healthy-$kind.nrrd >cut-$kind.nrrd
    fails 6 '' runnel render cut-$kind.nrrd null:
done
for file in sum.nii.gz end.nii.gz sum.nrrd odd.nrrd; do
    fails 6 "1 damaged and 0 missing.*$file', behind its samples" runnel render $file null:
done
# Linux counts what a process reads for its parent, too.
n=$(sh -c '"$0" render once.nrrd null: -q; sed -n "s/rchar: //p" /proc/$$/io' "$RUNNEL")
[ "${n:-0}" -lt 2500000 ] || complain "$n bytes are read of a file of 1440000"
says "warning: behind the 12 pictures.*1512 bytes, as many as 12 pictures" runnel info more.mhd
fails 6 '1512 bytes more than its header' runnel bench more.npy -f invert -d none --frames 12
python3 -c "
for name, sizes in ('one', '7 9 12'), ('two', '7 9 1 1 1 2 1 2 1 1 3'), ('exact', '7 9 12'):
    open(name + '.hdr', 'w').write('# Dimensions\n' + sizes + '\n')
    open(name + '.cfl', 'wb').write(bytes(7 * 9 * 12 * 8) + b'x' * 100 * (name != 'exact'))"
for input in one.cfl one.hdr 'two.cfl --series 1' 'two.hdr --series 2'; do
    fails 6 'the input has 100 bytes more than its header' runnel render $input null:
done
ok runnel render exact.cfl null:

begin "headers that cannot be read are refused by name"
while read -r file words; do
    refuses 3 "$file.*$words" runnel render "$file" nothing.nrrd
done <<'LIST'
huge.nii dim.*1099511627776
rle.nrrd encoding
skip.nrrd line skip
volumetric.tif a volume of 16 slices (ImageDepth)
folder.nrrd beside
LIST
refuses 3 "cannot open 's_001.raw'" runnel render list.nrrd nothing.nrrd

begin "several threads read what one reads, also of files that are damaged"
seq 30000 | head -c 150000 >many.raw
ok runnel render many.raw many.tif --raw 33x7x300:u16be -q --compression lzw
printf broken | dd of=many.tif bs=1 seek=130000 conv=notrunc 2>dd.err
while read -r status copied input; do
    for n in 1 12; do
        fails $status '' runnel render $input md5: -f median --threads $n --metrics m.json -q -y
        { cat out err && sed -n '/"frames_expected"/,/"losses"/p' m.json; } >by_$n
    done
    expect_same by_12 by_1
    grep -q "\"frames_copied_in\": $copied," by_12 || complain "$input: samples do not go into their places"
done <<'LIST'
0 300 many.raw --raw 33x7x300:u16be
0 1 many.raw --raw 64x8x290:u8
6 325 many.raw --raw 33x7x330:u16be
6 82 many.raw --raw 33x7x82:f64be
6 299 many.tif
LIST

begin "a slice that is read again still has the one before it in its stack"
# The cubes are rounded, which is reported, from picture 4 on.
python3 -c "import numpy; numpy.save('again.npy', numpy.arange(1920.).reshape(5, 6, 8, 8) ** 3)"
ok runnel render again.npy null: -f stats=file=again.csv -q
expect_eq "slices with one before" "$(cut -d, -f13 again.csv | grep -c '[0-9]')" 25

begin "an ImageJ stack beyond 4 GB has all of its slices"
ok runnel render beyond.tif md5: --from 598f -q
expect_eq "slices" "$(cut -d' ' -f1 out | tr '\n' ' ')" '598 599 '
expect_eq "the last one" "$(sed -n 2p out | cut -d' ' -f3)" "$(python3 -c "import numpy, hashlib
print(hashlib.md5(numpy.arange(2048 * 2048, dtype='<u4').astype('<u2').tobytes()).hexdigest())")"
truncate -s 4000000000 beyond.tif
fails 6 '' runnel render beyond.tif md5: --from 475f -q

begin "what a format has no place for is a loss"
says 'lost: .*spacing.*orientation.*unit' runnel render ct.nii.gz loss.npy
fails 6 '' runnel render ct.nii.gz loss.npy --strict -y
ok runnel render ct.nii.gz whole.nrrd --strict
says 'lost: .*spacing' runnel render hyper.tif film.mkv --codec ffv1 -y

begin "a film is refused by name, and becomes points in time where it is gray"
make_clip film.mkv 0.2
refuses 2 'format=gray' runnel render film.mkv film.nii
ok runnel render film.mkv film.nii -f format=gray
expect_eq "shape" "$(python3 -c 'import nibabel; print(nibabel.load("film.nii").shape)')" '(64, 48, 1, 5)'

begin "who made it stands in the file"
ok runnel render deep.npy made.nrrd -f median=radius=2 -q
ok runnel render made.nrrd made.tif -q
for file in made.nrrd made.tif; do
    grep -aq 'runnel [0-9.]*: median=' $file || complain "$file does not tell"
done
run runnel render deep.npy made.nrrd -q -y # steps that did nothing are no steps
run runnel render made.nrrd made.tif -q -y
run runnel render made.tif made.nii -q -y -f median=radius=2
run runnel render made.nii made.mha -q -y
run runnel render made.mha made.nrrd -q -y -f invert
expect_eq "steps" "$(grep -a '^made by' made.nrrd | sed 's/runnel [0-9.]*/runnel/g')" \
    'made by:=runnel: median=radius=2; runnel: invert'
