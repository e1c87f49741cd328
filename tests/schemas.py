"""schemas.py SCHEMA FILE: the records of FILE, an object or a line each, follow the schema, have no key beside, and no
required key too many."""
import json  # SPDX-License-Identifier: MIT
import sys

import jsonschema


def close(schema):
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []:
        close(part)
    if isinstance(schema, dict) and schema.get("properties"):
        schema["additionalProperties"] = False


def lacks(schema, value):
    """A required key is taken out of the value, again and again."""
    kinds = schema.get("items", {}).get("anyOf", [])
    if isinstance(value, list) and value and len(kinds) == 1:
        yield from lacks(kinds[0], value[0])
    if isinstance(value, dict):
        for key in schema.get("required", []):
            kept = value.pop(key)
            yield key
            value[key] = kept
        for key, part in schema.get("properties", {}).items():
            yield from lacks(part, value.get(key))


with open(sys.argv[1]) as f, open(sys.argv[2]) as g:
    schema, text = json.load(f), g.read()
jsonschema.Draft202012Validator.check_schema(schema)
close(schema)
records = [json.loads(text)] if text.startswith("{\n") else list(map(json.loads, text.splitlines()))
assert records
for record in records:
    for e in jsonschema.Draft202012Validator(schema).iter_errors(record):
        raise AssertionError(f"{'/'.join(map(str, e.path))}: {e.message[:200]}")
assert schema["required"]
for key in lacks(schema, records[0]):
    assert not jsonschema.Draft202012Validator(schema).is_valid(records[0]), f"may lack {key}"
