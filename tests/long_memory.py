"""The memory of readers and writers that stream: `long_memory.py RUNNEL` works in the current folder on 771
slices of 512x512, 16 bit, and says of every input and output how much memory the run took at most.

What is made here is made by processes of its own: a child begins with the memory of who started it."""
import multiprocessing  # SPDX-License-Identifier: MIT
import os
import subprocess
import sys

import numpy as np

import dicom

RUNNEL, LIMIT = sys.argv[1], 250
N, H, W = 771, 512, 512
BALL = "closing=shape=disk:radius=2:slices=2"
bad = 0


def make():
    """Smooth pictures with the noise of a scanner."""
    random = np.random.default_rng(1)
    y, x = np.mgrid[:H, :W]
    noise = random.normal(0, 40, (H, W))
    out = np.lib.format.open_memmap("in.npy", "w+", np.uint16, (N, H, W))
    for i in range(N):
        body = np.hypot(x - 256, y - 256 + 20 * np.sin(i / 50)) < 200
        smooth = np.where(body, 1500 + 300 * np.sin(x / 30 + i / 20), 200)
        out[i] = np.clip(smooth + np.roll(noise, 7 * i), 0, 4095)


def run(what, *words):
    """Runs the program, and says how much memory it took."""
    global bad
    child = subprocess.Popen([RUNNEL, "render", *words, "-q", "-y"], stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
    text = child.stderr.read().decode()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = status
    most = usage.ru_maxrss // 1024
    wrong = os.waitstatus_to_exitcode(status) != 0 or most >= LIMIT
    bad += wrong
    print("%s: %d MiB, %.1f s of CPU%s" % (what, most, usage.ru_utime + usage.ru_stime,
                                          " NOT OK " + text[-300:] if wrong else ""), flush=True)


def both(name, *options, source=None):
    """Writes name, and reads it again."""
    run("write " + name, "in.npy", name, *options)
    run("read " + name, source or name, "null:")
    remove(name)


def remove(name):
    folder = os.path.dirname(name)
    for file in [folder + "/" + f for f in os.listdir(folder)] if folder else [name]:
        os.remove(file)


def make_dicom():
    dicom.write("native.dcm", np.load("in.npy", mmap_mode="r"), bits=12)


def make_fortran():
    np.save("fortran.npy", np.asfortranarray(np.load("in.npy", mmap_mode="r")))


def apart(work):
    child = multiprocessing.get_context("spawn").Process(target=work)
    child.start()
    child.join()


def dicom_files():
    """One file with all frames, and the same compressed."""
    apart(make_dicom)
    yield "native.dcm"
    for name, *command in (("rle.dcm", "dcmcrle"), ("deflated.dcm", "dcmconv", "+td"), ("jpeg.dcm", "dcmcjpeg"),
                           ("jls.dcm", "dcmcjpls"), ("j2k.dcm", "gdcmconv", "--j2k")):
        try:
            subprocess.run([*command, "native.dcm", name], check=True, stderr=subprocess.DEVNULL)
            yield name
            os.remove(name)
        except (OSError, subprocess.CalledProcessError) as e:
            print("%s: not made: %s" % (name, e))


if __name__ == "__main__":
    apart(make)
    # What OpenCL takes to compile a kernel it takes once: not what streams.
    subprocess.run([RUNNEL, "render", "in.npy", "null:", "-f", BALL, "--frames", "8", "-q"], check=True)
    run("closing with a 3-D ball", "in.npy", "null:", "-f", BALL)
    for name in "out.tif", "out.nrrd", "out.nhdr", "out.mha", "out.mhd", "out.nii", "out.npy":
        both(name)
    for kind in "none", "lzw", "zstd:3":
        both("out.tif", "--compression", kind)
    for name in "out.nrrd", "out.mha", "out.nii.gz":
        both(name, "--compression", "deflate:1")
    for name in "png/%04d.png", "tif/%04d.tif":
        os.mkdir(os.path.dirname(name))
        both(name, "--compression", "deflate:1", source=os.path.dirname(name))
    run("read raw", "in.npy", "null:", "--raw", "%dx%dx%d:u16le+128" % (W, H, N))
    apart(make_fortran)
    run("read fortran.npy", "fortran.npy", "null:")
    os.remove("fortran.npy")
    for name in dicom_files():
        run("read " + name, name, "null:")
    sys.exit(bad != 0)
