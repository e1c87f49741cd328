# SPDX-License-Identifier: MIT
"""Makes what follows from the registry, in a folder: the types of runnel.filter, and the manifest for napari."""
import json
import pathlib
import sys

from . import filters
from .filter import __doc__ as about


def stub(f):
    kinds = {"int": "int | str", "float": "float | str", "text": "str", "bool": "bool"}
    rows = (f"{p['name']}: {kinds.get(p['type']) or 'Literal' + json.dumps(p['choices'])} = {p['default']!r}" for p in f["parameters"])
    return (f"def {f['name']}(array: Any, device: str | int | None = None, *, {', '.join(rows)}, **options: Any) -> Any:\n"
            f"    \"\"\"{f['help']}\"\"\"\n")


def manifest():
    commands = [{"id": f"runnel.{f['name']}", "title": f"runnel: {f['help']}", "python_name": f"runnel._napari:{f['name']}"}
                for f in filters()]
    widgets = [{"command": c["id"], "display_name": c["id"][len("runnel."):], "autogenerate": True} for c in commands]
    return {"name": "runnel", "display_name": "runnel", "contributions": {"commands": commands, "widgets": widgets}}


folder = pathlib.Path(sys.argv[1])
(folder / "filter.pyi").write_text(f'"""{about}"""\nfrom typing import Any, Literal\n\n' + "\n".join(map(stub, filters())))
(folder / "napari.json").write_text(json.dumps(manifest(), indent=1))
