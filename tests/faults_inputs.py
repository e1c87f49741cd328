"""Writes the inputs of faults.py into the working folder: faults_inputs.py KERNEL, a kernel file to copy."""
import shutil  # SPDX-License-Identifier: MIT
import subprocess
import sys

import nibabel
import numpy as np

import dicom
import tiff

TEXTS = {"words.srt": "1\n00:00:00,000 --> 00:00:00,100\nWords\n\n",
         "a.chain": "gray,erosion=radius=2\n",
         "m.txt": "0 1 0\n1 -4 1\n0 1 0\n",
         "r.jsonl": '{"chain":"invert"}\n{"frame":1,"stage":0,"on":false}\n'}
CLIPS = ("-f lavfi -i testsrc2=s=32x32:r=25:d=0.12 -f lavfi -i sine=440:r=44100:d=0.12 -i words.srt -map 0 -map 1"
         " -map 2 -metadata title=T -c:v libx264 -pix_fmt yuv420p -c:a aac -c:s srt clip.mkv",
         "-i clip.mkv -map 0 -c:v copy -c:a copy -c:s mov_text clip.mp4",
         "-i clip.mkv -map 0:v -map 0:a -c copy sound.mp4",
         "-i clip.mkv -map 0:v -pix_fmt yuv420p clip.y4m",
         "-i clip.mkv -map 0:v -pix_fmt gray scan_%d.png")
NRRD = """NRRD0004
type: int16
dimension: 3
sizes: 16 16 3
space: left-posterior-superior
space directions: (0.5,0,0) (0,0.5,0) (0,0,2)
space origin: (1,2,3)
endian: little
encoding: raw

"""
MHA = """ObjectType = Image
NDims = 3
DimSize = 16 16 3
ElementSpacing = 0.5 0.5 2
Offset = 1 2 3
ElementType = MET_SHORT
ElementDataFile = LOCAL
"""


def scans():
    pages = [tiff.noise(i, (16, 16)) for i in range(3)]
    tiff.write("stack.tif", [p[:, :, None] for p in pages])
    dicom.write("scan.dcm", np.stack(pages))
    volume = (np.stack(pages).astype(np.int16) - 100)
    nibabel.save(nibabel.Nifti1Image(volume.T, np.diag([0.5, 0.5, 2, 1])), "scan.nii.gz")
    np.save("scan.npy", volume)
    for name, header in ("scan.nrrd", NRRD), ("scan.mha", MHA):
        with open(name, "wb") as f:
            f.write(header.encode() + volume.astype("<i2").tobytes())


for name, text in TEXTS.items():
    with open(name, "w", encoding="ascii") as f:
        f.write(text)
for clip in CLIPS:
    subprocess.run(["ffmpeg", "-v", "error", "-y"] + clip.split(), check=True, stdin=subprocess.DEVNULL)
scans()
shutil.copy(sys.argv[1], "k.cl")
