#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes what fuzz targets begin with: fuzz_seeds.sh FOLDER fills FOLDER/seeds/NAME, an input in each file,
# and FOLDER/files, where the targets run.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -n "${PYTHON-}" ] || { [ -x /usr/bin/python3 ] && PYTHON=/usr/bin/python3 || PYTHON=python3; }
cd "$1"

# ---- words that libFuzzer puts in

{
    cat "$here"/../filters/*.c | grep -oE '\bF\([a-z]+\)|RN_P_[A-Z]+\(struct \w+, [a-z]+,' |
        sed 's/(struct .*, /(/; s/.*(\([a-z]*\).*/"\1="/' | sort -u
    printf '"%s"\n' border= slices= label= matrix.txt chain.txt kernel.cl clamp zero mirror wrap ignore square disk cross \
        '\\\\' "'" '\\\\\\\\:' : , @
} >fuzz_chain.dict
cp fuzz_chain.dict fuzz_reference.dict
printf '"%s"\n' '//@param ' '//@reach ' ' 0 1 0.1 0' 1e-39 3.4e38 0.123456785 >fuzz_kernelfile.dict
printf '"%s"\n' '{\"chain\":\"' '\"frame\":' '\"stage\":' '\"param\":\"' '\"value\":\"' '\"on\":' true false '}\x0a' \
    >fuzz_replay.dict
printf '"%s"\n' __metadata__ probability output layers data_offsets >fuzz_network.dict
printf '"%s"\n' Conv ConvTranspose PRelu Clip Add Sub DepthToSpace BatchNormalization pads strides auto_pad SAME_UPPER >fuzz_onnx.dict
[ ! -f seeds/made ] || exit 0
rm -rf seeds files
mkdir -p seeds/fuzz_network seeds/fuzz_onnx files
cp "$here"/../media/*.safetensors seeds/fuzz_network
cp "$here"/../media/onnx/*.onnx seeds/fuzz_onnx

seed() { # target: one input in each line of stdin; printf's escapes
    mkdir -p "seeds/$1"
    n=0
    while IFS= read -r line; do
        n=$((n + 1))
        # shellcheck disable=SC2059
        printf '%b' "$line" >"seeds/$1/text$n"
    done
}

# ---- the files that texts name

printf '1 2 1\n2 4 2\n1 2 1\n' >files/matrix.txt
printf '# a chain\nblur=2,\nmedian=radius=1\n' >files/chain.txt
printf '//@param gain 0 4 0.1 1 how much\n//@param level -8 1e3 0.25 3.5\n//@reach 2\nfloat filter(IN) { return gain; }\n' \
    >files/kernel.cl
for n in 0000 0001 0002 0010 12345; do printf x >"files/scan_$n.png"; done
for n in 1 2 10; do printf x >"files/s$n.tif"; done
printf x >'files/a[1].png'
printf x >'files/%d.png'
mkdir files/folder
printf x >files/folder/1.png

# ---- texts

seed fuzz_chain <<'END'
convolution=matrix=0 -1 0 -1 5 -1 0 -1 0:div=2:bias=128
convolution=file=matrix.txt:border=mirror
convolution='1 2 1':size=3x1,blur=sigma=1.5
custom=kernel.cl:gain=2.5:level=-7,invert
custom@own=file=kernel.cl:gain=0.30000001
@chain.txt
blur@soft=2:border=wrap,median=radius=3:percentile=75
closing=shape=disk:radius=2:slices=2,tophat=cross,threshold=otsu=1
sharpen,emboss,boxblur=radius=2,prewitt,sobel=scale=0.5:delta=10,roberts,laplacian
levels=16:235,noise=salt=0.01:seed=7,equalize,gray,format=gray,stats=p=3:file=out.csv
\\ invert ,\tthreshold = level = 12.5 : planes=7
convolution=matrix=\\'1\\\\ 0\\\\ 0\\'
stats=file='a\\:b\\'
END
n=0
while IFS= read -r line; do
    n=$((n + 1))
    printf '\\0%o\\0%o\\0%o\\0%o%s\n' $((n % 12)) $n $((n * 5)) $n "$line"
done <<'END' | seed fuzz_reference
convolution=matrix=0 -1 0 -1 5 -1 0 -1 0:div=2:bias=128
convolution=file=matrix.txt:border=mirror:planes=15
convolution=matrix=0.1 0.2 0.1 0.2 0.4 0.2 0.1 0.2 0.1:border=wrap
convolution=matrix=1000000 -1000000 1:size=3x1:div=-1e6:planes=7
blur=sigma=1.5:border=zero
median=radius=2:percentile=75
median=radius=1:border=mirror:planes=15
closing=shape=disk:radius=2:slices=1
gradient=shape=cross:radius=1:iterations=3
tophat=square:radius=2,blackhat=disk:border=wrap
erosion=slices=2:border=zero:planes=15
opening=radius=3:border=clamp
threshold=otsu=1
threshold=level=12.5:planes=15
sharpen,emboss
boxblur=radius=2,prewitt
sobel=scale=0.5:delta=10,roberts
laplacian=scale=100:delta=-255:planes=15
equalize=planes=15,invert=planes=8
levels
noise=seed=7
gray
format=gray
format=gbrp
stats=p=3,format=yuv444p
END
seed fuzz_matrix <<'END'
\n1 2 1 2 4 2 1 2 1
\n1 2 1\n2 4 2\n1 2 1\n
5x1\n-1 0.5 1e3 -.25 +7
3x3\n0.1 0.2 0.1 0.2 0.4 0.2 0.1 0.2 0.1
\n1e-320 1e6 -1e6 0x1p-3 0 0 0 0 0
\nnan inf 1e999
1x129\n1 2 3
END
seed fuzz_kernelfile <<'END'
//@param gain 0 4 0.1 1 how much the detail counts\n//@reach 1\nfloat filter(IN) { return gain; }
// @param x\n//@param level -1e30 3.4e38 1e-3 0\n//@param a_b 0.1 0.123456785 0.01 0.11 help: 'x'\n
/* //@param no 0 1 1 0 */\n\t//@param yes 0 1 1 0\r\n//@reach 64\n
//@param a 0 1 1 0\n//@param a 0 1 1 0\n
//@reach 65\n
//@param tiny 1e-39 1e-30 1e-40 1e-35\n
"//@param text 0 1 1 0"\n#define A //@param b 0 1 .5 0 \\\\\n//@reach x
END
seed fuzz_replay <<'END'
{"chain":"blur=2,median"}\n{"frame":1,"stage":0,"param":"sigma","value":"3.5"}\n{"frame":2,"stage":1,"on":false}\n
{"chain":""}\n
{"chain":"blur"}\n{"frame":-1,"stage":0,"on":true}\n{"frame":9223372036854775807,"stage":0,"param":"border","value":"wrap"}
{"chain":"@chain.txt"}\n
{"chain":"custom=kernel.cl"}\n{"frame":0,"stage":0,"param":"gain","value":"1e-1"}\n{"frame":3,"stage":0,"param":"file","value":"x"}\n
{"chain":"noise,levels,threshold"}\n{"frame":100,"stage":2,"param":"level","value":"\\u0031"}\n[]\n
END
seed fuzz_names <<'END'
scan_%04d.png
scan_%d.png
%%d.png
s*.tif
s[0-9]*.tif
a\\[1\\].png
folder
lavfi:testsrc2=size=1280x720:rate=30
1:30.5
01:02:03
150f
-00:01
30000/1001
ntsc
29.97
%018d
a%%%05d%%.tif
now
9223372036854775807f
END
seed fuzz_number <<'END'
0\x03
-12.5\x0a
1e-30\x11
3.4028235e38\x18
0x1.8p3\x1f
 +7\x26
infinity\x2d
nan(7)\x34
1e-45\x3b
0.30000001\x42
clamp\x49
cross\x50
1,5\x57
2147483648\x5e
END

# What decides calls of the library.
mkdir -p seeds/fuzz_api
for n in 40 160 640 1280; do
    awk -v n=$n 'BEGIN {srand(n); while (n--) printf "%c", 1 + int(rand() * 127)}' >seeds/fuzz_api/$n
done

# ---- files

"$PYTHON" - "$here" <<'END'
import os
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import dicom
import tiff

os.makedirs('seeds/fuzz_tiff')
os.makedirs('seeds/fuzz_dicom')


def put(name, pages, **options):
    tiff.write(f'seeds/fuzz_tiff/{name}', pages, **options)


gray8 = [tiff.noise(i, (5, 7), np.uint8) for i in range(3)]
gray16 = [tiff.noise(i, (5, 7)) for i in range(2)]
rgb = [tiff.noise(3, (4, 6, 3), np.uint8)]
put('gray8', gray8, rows=2)
put('gray16', gray16, endian='>')
put('big', gray16, big=True)
put('tiled', [tiff.noise(4, (20, 18), np.uint8)], tile=16)
put('rgb', rgb + rgb)
put('separate', rgb + rgb, separate=True)
put('deflate', gray16 + gray16, deflate=True, predictor=2)
put('bits12', [p >> 4 for p in gray16], bits=12)
put('bits1', [p & 1 for p in gray8], bits=1, photometric=0)
put('signed', [p.view(np.int16) for p in gray16], sample_format=2)
put('float', [p.astype(np.float32) / 65535 for p in gray16], sample_format=3)
put('alpha', [tiff.noise(5, (4, 6, 4), np.uint8)] * 2, extra=2)
put('palette', [p & 15 for p in gray8], photometric=3, bits=4, palette=list(range(0, 48 * 1000, 1000)))
put('thumbnail', gray8, subtype=[0, 1, 0])

for name, pixels, options in (
        ('gray8', gray8[0], {}), ('frames', np.stack(gray8), {'number': 3}),
        ('scan', gray16[0] >> 4, {'bits': 12, 'rescale': (1.5, -1024), 'position': (0, 0, 3), 'spacing': (1, 2)}),
        ('signed', gray16[0].view(np.int16), {'signed': True}), ('rgb', rgb[0], {'photometric': 'RGB'}),
        ('inverted', gray8[0], {'photometric': 'MONOCHROME1'})):
    dicom.write(f'seeds/fuzz_dicom/{name}.dcm', pixels, **options)
dicom.directory('seeds/fuzz_dicom/directory.dcm', ['A\\B', 'C'])
frames = [[(0x20, 0x9113, 'SQ', [[dicom.place((0, 0, z))[0]]]), (0x28, 0x9145, 'SQ', [dicom.rescaled(z + 1, 0, 'HU')])]
          for z in range(3)]
dicom.write('seeds/fuzz_dicom/enhanced.dcm', np.stack(gray8), tags=[
    (0x5200, 0x9229, 'SQ', [[(0x20, 0x9116, 'SQ', [[dicom.place((0, 0, 0))[1]]])]]), (0x5200, 0x9230, 'SQ', frames)])
lut = [t for c in range(3) for t in ((0x28, 0x1101 + c, 'US', (9, 3, 16)), (0x28, 0x1201 + c, 'OW', bytes(range(18))))]
dicom.write('seeds/fuzz_dicom/palette.dcm', gray8[0], photometric='PALETTE COLOR', tags=lut)
dicom.write('seeds/fuzz_dicom/mask.dcm', np.stack(gray8) > 99)
dicom.write('seeds/fuzz_dicom/ybr.dcm', rgb[0], photometric='YBR_FULL')
dicom.write('seeds/fuzz_dicom/packed.dcm', np.stack(gray16), packed=True)
dicom.write('seeds/fuzz_dicom/colours.dcm', tiff.noise(3, (2, 4, 6, 3)), photometric='RGB', packed=True)
dicom.write('seeds/fuzz_dicom/table.dcm', gray8[0], tags=[(0x28, 0x3000, 'SQ', [[
    (0x28, 0x3002, 'US', (9, 3, 16)), (0x28, 0x3004, 'LO', 'HU'), (0x28, 0x3006, 'OW', bytes(range(18)))]])])
END
mkdir -p seeds/fuzz_dicom_reply files/series
for n in 1 2 3; do cp seeds/fuzz_dicom/gray8.dcm files/series/$n.dcm; done
head -c 600 /dev/zero >seeds/fuzz_dicom_reply/zeros
cp -r seeds/fuzz_dicom seeds/fuzz_dicom_file
if command -v gdcmconv >/dev/null; then
    for option in --jpeg --j2k --jpegls --rle --implicit; do
        gdcmconv $option seeds/fuzz_dicom/scan.dcm seeds/fuzz_dicom/x$option.dcm 2>/dev/null || true
        gdcmconv $option seeds/fuzz_dicom/rgb.dcm seeds/fuzz_dicom/rgb$option.dcm 2>/dev/null || true
    done
fi

make() { # where, options of ffmpeg for the output
    to=$1
    shift
    ffmpeg -v error -y -f lavfi -i testsrc2=s=16x16:r=5:d=0.6 "$@" "$to"
}
mkdir -p seeds/fuzz_images seeds/fuzz_media
for fmt in gray gray16be rgb24 rgba pal8 monob; do
    make "i%d.png" -frames:v 2 -pix_fmt $fmt
    cat i1.png i2.png >seeds/fuzz_images/$fmt
done
make "i%d.png" -frames:v 1 -c:v mjpeg
cat i1.png i1.png >seeds/fuzz_images/jpeg
for kind in bmp pgm ppm tga tiff; do
    make "i%d.$kind" -frames:v 2 -pix_fmt $([ $kind = pgm ] && echo gray || echo rgb24)
    cat "i1.$kind" "i2.$kind" >seeds/fuzz_images/$kind
done
rm -f i1.* i2.*
for fmt in yuv420p yuv444p10 gray; do
    make seeds/fuzz_media/$fmt.y4m -strict -1 -pix_fmt $fmt
done
make seeds/fuzz_media/x.mkv -c:v ffv1
make seeds/fuzz_media/x.nut -c:v rawvideo -pix_fmt yuv420p
make seeds/fuzz_media/x.avi -c:v mjpeg
make seeds/fuzz_media/x.mov -c:v mpeg4
make seeds/fuzz_media/x.ts -c:v mpeg2video
mkdir seeds/fuzz_truncation
kind=0
for file in x.mov x.mkv x.avi x.ts x.nut x.ogg x.flv x.asf x.gif; do
    [ -f seeds/fuzz_media/$file ] || make seeds/fuzz_media/$file
    { printf '%b' "\\0$(printf %o $kind)"; cat seeds/fuzz_media/$file; } >seeds/fuzz_truncation/$file
    kind=$((kind + 1))
done
{ printf '\011'; cat seeds/fuzz_images/rgb24; } >seeds/fuzz_truncation/png
{ printf '\012'; cat seeds/fuzz_images/jpeg; } >seeds/fuzz_truncation/jpeg
touch seeds/made

# ---- volumes

mkdir -p seeds/fuzz_volume
(cd seeds/fuzz_volume && "$PYTHON" "$here/volumes.py" seeds 2>/dev/null && rm -f -- *.be *.raw *.zraw)
seed fuzz_volume <<'END'
# Dimensions\n3 2 1 2 1 2 1 1 1 1 2\n
NRRD0004\ntype: uchar\ndimension: 3\nsizes: 5 2 2\nkinds: vector domain domain\nencoding: raw\n\n12345678901234567890
9x7x5:u16be
64x64:f32le+348
NRRD0004\ntype: short\ndimension: 3\nsizes: 2 2 1\nspacings: 1 nan 2\nencoding: raw\nbyte skip: -1\n\n12345678
NRRD0004\ntype: short\ndimension: 3\nsizes: 2 2 1\nencoding: ascii\nline skip: 1\n\nx\n1 -2,3\t4
NRRD0004\ntype: short\ndimension: 3\nsizes: 2 2 1\nencoding: hex\nbyte skip: 1\n\nx1234 5678 9abc def0
NRRD0005\ntype: float\ndimension: 3\nsizes: 2 2 1\nkinds: complex space space\nencoding: gzip\nendian: big\n\n
ObjectType = Image\nNDims = 3\nDimSize = 2 2 1\nElementType = MET_SHORT\nHeaderSize = -1\nElementDataFile = LOCAL\n12345678
END

seed fuzz_tiff_text <<'END'
ImageJ=1.53t\nimages=24\nchannels=2\nslices=4\nframes=3\nhyperstack=true\nunit=micron\nspacing=2.5\nfinterval=0.1\nmin=1\nmax=9\ncf=0\nc0=-1024\nc1=1\nvunit=HU\n
ImageJ=1\nimages=2\nrunnel.spacing=1 2 3\nrunnel.origin=1 2 3\nrunnel.direction=1 0 0 0 1 0 0 0 1\nrunnel.made=x\nrunnel.range=0 1\nrunnel.window=3 4\n
END
seed fuzz_ome <<'END'
<?xml version="1.0"?><OME UUID="c"><Image ID="0"><Pixels DimensionOrder="XYZCT" SizeX="3" SizeY="2" SizeZ="4" SizeC="3" SizeT="2" PhysicalSizeX="0.5" PhysicalSizeZUnit="mm" TimeIncrement="2"><Channel SamplesPerPixel="3"/><TiffData IFD="0"><UUID FileName="a">b</UUID></TiffData><TiffData FirstZ="1" FirstT="1" IFD="3" PlaneCount="2"/></Pixels></Image></OME>
<OME><Image Name="all"><Pixels DimensionOrder="XYTCZ" SizeZ="4"/></Image><Image Name="preview"><Pixels SizeC="2"><TiffData/></Pixels></Image></OME>
<OME><BinaryOnly MetadataFile="a.companion.ome" UUID="x"/></OME>
END

# What a worker sends: one array of 7 x 9 x 5 doubles, and one of text.
mkdir -p seeds/fuzz_mat
"$PYTHON" - <<'END'
import struct
sent = struct.pack("8sii112s", b"rnmat 1", 2, 0, b"")
sent += struct.pack("64s4i9q", b"volume", 0, 10, 1, 3, 7, 9, 5, 1, 1, 1, 1, 1, 8)
sent += struct.pack("64s4i9q", b"note", 1, 0, 0, 2, 1, 6, 1, 1, 1, 1, 1, 1, 0)
open("seeds/fuzz_mat/two", "wb").write(sent)
open("seeds/fuzz_mat/none", "wb").write(struct.pack("8sii112s", b"rnmat 1", 0, 0, b"it holds no array"))
END
