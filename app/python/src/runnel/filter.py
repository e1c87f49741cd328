# SPDX-License-Identifier: MIT
"""A function for each filter, made from the registry: runnel.filter.median(array, radius=2). Values are those of a chain:
numbers, names, and texts with a unit such as "40hu" and "1.5mm"; device, colour and the rest as runnel.apply takes them."""
import re

from . import apply, filters


def _quoted(value):
    for _ in range(2): # a chain is split at commas, and a filter's options at colons
        value = re.sub(r"([^\w./-])", r"\\\1", str(int(value) if isinstance(value, bool) else value))
    return value


def _function(name, help, parameters):
    defaults = {p["name"]: p["default"] for p in parameters}

    def run(array, device=None, **values):
        own = {k: values.pop(k) for k in list(values) if k in defaults}
        text = ":".join(f"{k}={_quoted(v)}" for k, v in own.items() if v != defaults[k])
        return apply(array, f"{name}={text}" if text else name, device, **values)

    run.__name__ = run.__qualname__ = name
    run.__doc__ = "\n".join([help, "", *(f"{p['name']}: {p['help']} ({p['default']!r})" for p in parameters)])
    return run


globals().update({f["name"]: _function(f["name"], f["help"], f["parameters"]) for f in filters()})
