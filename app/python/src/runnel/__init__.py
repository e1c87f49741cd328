# SPDX-License-Identifier: MIT
"""Pictures and stacks through chains of OpenCL filters: the engine of runnel(1), for arrays."""
import os
import threading
from itertools import chain as _join
from typing import Any, Iterable, Iterator

import numpy as np


class Error(Exception):
    """What went wrong, in one line. code is the exit status that runnel(1) would give: 2 usage, 3 input, 4 output,
    5 device, 6 damaged input, 1 anything else."""

    def __init__(self, text: str, code: int = 2):
        super().__init__(text)
        self.code = code


from . import _runnel # noqa: E402 it raises the error

__all__ = ["Error", "Runner", "apply", "devices", "filters", "open", "stream", "write"]
__version__: str = _runnel.version

Device = str | int | None
Range = tuple[float, float] | None

_opened: dict[str, Any] = {} # devices stay open, and keep the kernels that were built
_lock = threading.Lock() # drivers do not like two threads to load them
_TYPES = ["uint8", "uint16", "int16", "float32"]
_CASTS = {"bool": "uint8", "int8": "int16", "int32": "int16", "int64": "int16", "uint32": "uint16", "uint64": "uint16"}
_DEVICE = ("index", "platform", "device", "type", "name", "platform_name", "driver", "version", "compute_units",
           "global_memory_bytes", "max_allocation_bytes", "local_memory_bytes", "max_work_group", "shares_memory")


def devices() -> list[dict[str, Any]]:
    """The OpenCL devices, as `runnel devices --json` lists them; none where OpenCL is not installed."""
    with _lock:
        return [dict(zip(_DEVICE, d)) for d in _runnel.devices()]


def _parameter(name, kind, unit, help, fixed, default, low, high, step, choices):
    if name == "enable":
        kind, default = 4, default == "1"
    elif kind < 2:
        try:
            default = (int, float)[kind](default)
        except ValueError: # a length or a level with its unit
            pass
    row = {"name": name, "type": ("int", "float", "choice", "text", "bool")[kind], "unit": unit, "help": help,
           "fixed": fixed, "default": default}
    return row | ({"choices": choices} if kind == 2 else {} if kind == 3 else {"min": low, "max": high, "step": step})


def filters() -> list[dict[str, Any]]:
    """The filters and their parameters, as `runnel filters --json` lists them."""
    return [{"name": name, "help": help, "about": about, "aliases": aliases.split(", ") if aliases else [],
             "parameters": [_parameter(*row) for row in rows]} for name, help, about, aliases, rows in _runnel.filters()]


def _array(array):
    array = np.asarray(array)
    name = array.dtype.name
    if name in _TYPES and array.dtype.isnative:
        return array
    if array.dtype.kind not in "biuf":
        raise Error(f"{name} is no type of samples: they are {', '.join(_TYPES)}")
    raise Error(f"samples are {', '.join(_TYPES)}, never rescaled; of {array.dtype.str} write "
                f"array.astype('{name if name in _TYPES else _CASTS.get(name, 'float32')}') if its values fit")


def _span(picture):
    """The range of floats as runnel(1) finds it in a scan: that of its values, but 0 to 1 if all lie there."""
    values = picture[np.isfinite(picture)] if picture.dtype.kind == "f" else picture[:0]
    low, high = (float(values.min()), float(values.max())) if values.size else (0.0, 1.0)
    return (low, high) if low < high and (low < 0 or high > 1) else (0.0, 1.0)


def _device(select):
    select = str(os.environ.get("RUNNEL_DEVICE", "") if select is None else select)
    with _lock:
        if select not in _opened:
            _opened[select] = _runnel.open_device(select)
        return _opened[select]


class Runner(_runnel.Runner):
    """A chain on a device, for pictures of one shape, (rows, columns) or (rows, columns, 3 or 4), and one type.

    Its slots hold the frames in memory that the device reaches fast. slot() is filled, by slot[...] = array or without
    a copy through numpy.asarray(slot), and submitted; wait() returns the slot of the next frame that is complete, read
    only, and ends the use of the one before. A slot that was submitted or ended refuses; while an array shows it, it
    is neither. drain() ends the input, whose frames all become complete; another may follow. rows: with stats=True, what
    the filter stats, the last one, measured of the frame that wait() returned."""

    def __new__(cls, chain: str, shape: tuple[int, ...], dtype: Any = "uint8", *, device: Device = None,
                range: Range = None, spacing: tuple[float, ...] | None = None, unit: str = "", slope: float = 0,
                intercept: float = 0, stats: bool = False, inflight: int = 0):
        shape, name = tuple(shape), np.dtype(dtype).name
        if name not in _TYPES or len(shape) not in (2, 3) or shape[2:] not in ((), (3,), (4,)):
            raise Error(f"pictures are (rows, columns) or (rows, columns, 3 or 4) of {', '.join(_TYPES)}; not {shape} of {name}")
        spacing = (0.0,) * (3 - len(spacing or ())) + tuple(spacing or ())
        self = super().__new__(cls, _device(device), chain, *shape[:2], *(shape[2:] or (1,)), _TYPES.index(name), range or (0, 1),
                               spacing, slope or bool(unit), intercept, unit, stats, inflight)
        self.shape = (self._h, self._w, self._components)[:2 + (self._components > 1)]
        self.dtype = np.dtype(_TYPES[self._sample])
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _results(self, pictures, to, stats):
        end = object()
        for picture in _join(pictures, [end]):
            if picture is end:
                self.drain()
            while picture is end or not self.free:
                if (out := self.wait()) is not None:
                    array = np.empty(self.shape, self.dtype) if to is None else next(to)
                    out.take(array)
                    yield (array, self.rows if self.rows[1:] else self.rows[0]) if stats else array
                elif picture is end:
                    return
            slot = self.slot()
            slot[...] = _array(picture)
            self.submit(slot)


def stream(chain: str, frames: Iterable[Any], *, device: Device = None, colour: bool = False, stats: bool = False,
           range: Range = None, **options: Any) -> Iterator[Any]:
    """Filters pictures as they come, in the memory of a few slots: an array for each; with stats=True also a dictionary
    of what was measured of it, of colours a list of them. range: of floats, for filters that need black and white; that
    of the first picture, if not given. options: as Runner takes them."""
    frames = iter(frames)
    for first in frames:
        first = _array(first)
        if first.ndim != 2 + colour:
            raise Error(f"a picture is (rows, columns{', 3 or 4' * colour}), not {first.shape}")
        with Runner(chain, first.shape, first.dtype, device=device, stats=stats, range=range or _span(first), **options) as runner:
            yield from runner._results(_join([first], frames), None, stats)


def apply(array: Any, chain: str, device: Device = None, *, colour: bool = False, stats: bool = False,
          range: Range = None, **options: Any) -> Any:
    """Filters a picture of (rows, columns) or a stack of (slices, rows, columns); colour=True: 3 or 4 colours on the last
    axis. A new array; with stats=True also a list of what was measured, as stream gives it. Samples are never
    rescaled. range: of floats; if not given, that of the picture in the middle. options: as Runner takes them."""
    array = _array(array)
    stack = array.ndim == 3 + colour
    if not stack and array.ndim != 2 + colour or 0 in array.shape:
        raise Error(f"arrays are ([slices,] rows, columns{', 3 or 4' * colour}), not {array.shape}")
    pictures = array if stack else array[None]
    options.setdefault("inflight", int(len(pictures) == 1)) # lanes would take longer to open
    with Runner(chain, pictures.shape[1:], array.dtype, device=device, stats=stats,
                range=range or _span(pictures[len(pictures) // 2]), **options) as runner:
        whole = np.empty((len(pictures),) + runner.shape, runner.dtype)
        # Threads copy several pictures of an array at once; to share memory with the device, one does as well.
        done = runner._apart and len(pictures) > 1 and not stats and runner._pass(pictures, whole)
        results = [] if done else list(runner._results(pictures, iter(whole), stats))
    whole = whole if stack else whole[0]
    return (whole, [rows for _, rows in results]) if stats else whole


from ._program import open, write # noqa: E402 they need what is above
