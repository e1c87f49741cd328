# SPDX-License-Identifier: MIT
"""Files, through the program runnel in a process of its own: the engine knows none, FFmpeg and the readers of scans are
large, under another licence, and read what strangers have made."""
import builtins
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import warnings
from typing import Any, Iterable, Iterator

import numpy as np

from . import Error, _array

_NRRD = {"uint8": "uint8", "uint16": "uint16", "int16": "int16", "float32": "float"}


def _name(path):
    path = os.fspath(path)
    return "./" + path if path.startswith("-") else path # no option, and no pipe


def _start(words, options):
    program = os.environ.get("RUNNEL") or shutil.which("runnel")
    if not program:
        raise Error("the program runnel, which reads and writes files, is not in PATH", 1)
    for name, value in options.items():
        if value is not False:
            words += ["--" + name.rstrip("_").replace("_", "-"), *([] if value is True else [str(value)])]
    said = tempfile.TemporaryFile()
    return subprocess.Popen([program, *words, "--no-config"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=said), said


def _end(process, said):
    """Waits for the program, and raises what it has said."""
    process.stdout.close()
    status = process.wait()
    with said:
        said.seek(0)
        lines = said.read().decode(errors="replace")
    for text in re.findall("^runnel: warning: (.*)", lines, re.M):
        warnings.warn(text, RuntimeWarning, 3)
    if status:
        raise Error((re.findall("^runnel: error: (.*)", lines, re.M) or [f"runnel ended with status {status}"])[0], abs(status))


class Pictures:
    """The pictures of an input, read once, as they are asked for. info: what `runnel info --json` says of the input; scan:
    what apply, stream, Runner and write take to describe these pictures as a scan; shape and dtype: of each."""

    _process = None

    def __init__(self, path, chain, options):
        info = _start(["info", path, "--json"], {k: v for k, v in options.items() if k in ("series", "raw")})
        text = info[0].stdout.read()
        _end(*info)
        self.info: dict[str, Any] = json.loads(text)
        video = re.match(r"yuvj?(a?)4\d\dp(\d*)", self.info["pictures"]["pixel_format"] or "")
        if not chain and video: # the planes of Y'CbCr are no array
            chain = f"format=gbr{video[1]}p{video[2]}"
        with tempfile.TemporaryDirectory() as folder: # the name says which format, until the program has opened it
            os.symlink("/dev/stdout", f"{folder}/out.nrrd")
            self._process = _start(["render", path, f"{folder}/out.nrrd", "-q", *(["-f", chain] if chain else [])], options)
            self._pipe = self._process[0].stdout
            lines = iter(lambda: self._pipe.readline().decode().rstrip("\n"), "") # NRRD's header ends with an empty one
            said = dict(re.split(":=? ?", line, maxsplit=1) for line in lines if ":" in line)
            if not said: # it has failed
                _end(*self._process)
        colour = int("RGB" in said["kinds"])
        sizes = [int(n) for n in said["sizes"].split()]
        steps = re.findall(r"\(([^)]*)\)", said.get("space directions", "")) or said.get("spacings", "").split()[colour:]
        steps = [math.hypot(*map(float, step.split(","))) for step in steps[:3]]
        self.scan: dict[str, Any] = {k: float(said.get(f"rescale {k}", 0)) for k in ("slope", "intercept")} | {
            "unit": said.get("rescale unit", ""), "spacing": tuple(steps[::-1]) if any(s > 0 for s in steps) else None}
        self.dtype = np.dtype({v: k for k, v in _NRRD.items()}[said["type"]])
        self.shape = (sizes[colour + 1], sizes[colour], *sizes[:colour])

    def __iter__(self) -> Iterator[np.ndarray]:
        while not self._pipe.closed:
            picture = np.empty(self.shape, self.dtype)
            if self._pipe.readinto(memoryview(picture).cast("B")) < picture.nbytes:
                return _end(*self._process)
            yield picture

    def close(self) -> None:
        if self._process and not self._pipe.closed:
            self._process[0].kill()
            self._pipe.close()
            self._process[0].wait()
            self._process[1].close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    __del__ = close


def open(path: str | os.PathLike, chain: str | None = None, **options: Any) -> Pictures:
    """The pictures of any input of runnel(1), filtered by chain: videos (as RGB), images, scans. options: those of
    `runnel render`, with _ for -: frames=8, from_="1:30", series=2."""
    return Pictures(_name(path), chain, options)


def write(path: str | os.PathLike, frames: Iterable[Any], *, overwrite: bool = False, spacing: tuple[float, ...] | None = None,
          unit: str = "", slope: float = 0, intercept: float = 0, **options: Any) -> None:
    """Writes an array or pictures, as they come, to any output of runnel(1): videos, images, scans. options: those of
    `runnel render`, with _ for -: fps=25, codec="ffv1"."""
    with tempfile.TemporaryDirectory() as folder:
        n, like, shape = 0, None, getattr(frames, "shape", ())
        alone = len(shape) == 2 or (len(shape) == 3 and shape[2] in (3, 4)) # as runnel reads .npy
        with builtins.open(f"{folder}/samples.raw", "wb") as file:
            for picture in [frames] if alone else frames:
                picture = _array(picture)
                like = picture if like is None else like
                if (picture.shape, picture.dtype) != (like.shape, like.dtype) or picture.ndim not in (2, 3):
                    raise Error(f"picture {n} is {picture.shape} of {picture.dtype}, the first {like.shape} of {like.dtype}")
                file.write(np.ascontiguousarray(picture))
                n += 1
        if not n:
            raise Error("there are no pictures to write")
        sizes = [*like.shape[2:], like.shape[1], like.shape[0], n]
        steps = [*("NaN" for _ in like.shape[2:]), *(str(float(s) or "NaN") for s in (*reversed(spacing or ()), 0, 0, 0)[:3])]
        lines = ["NRRD0004", f"type: {_NRRD[like.dtype.name]}", f"dimension: {len(sizes)}", f"sizes: {' '.join(map(str, sizes))}",
                 f"kinds: {'RGB-color ' * len(like.shape[2:])}domain domain domain", f"endian: {sys.byteorder}", "encoding: raw",
                 f"spacings: {' '.join(steps)}"]
        if slope or unit:
            lines += [f"rescale slope:={slope or 1!r}", f"rescale intercept:={intercept!r}", f"rescale unit:={unit}"]
        with builtins.open(f"{folder}/pictures.nhdr", "w") as header:
            header.write("\n".join(lines + ["data file: samples.raw", ""]))
        _end(*_start(["render", header.name, _name(path), "-y" if overwrite else "-n"], options))
