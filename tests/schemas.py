"""schemas.py SCHEMA FILE: the records of FILE, an object or a line each, follow the schema and have no key beside."""
import json  # SPDX-License-Identifier: MIT
import sys

import jsonschema


def close(schema):
    for part in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else []:
        close(part)
    if isinstance(schema, dict) and schema.get("properties"):
        schema["additionalProperties"] = False


with open(sys.argv[1]) as f, open(sys.argv[2]) as g:
    schema, text = json.load(f), g.read()
jsonschema.Draft202012Validator.check_schema(schema)
close(schema)
records = [json.loads(text)] if text.startswith("{\n") else list(map(json.loads, text.splitlines()))
assert records
for record in records:
    for e in jsonschema.Draft202012Validator(schema).iter_errors(record):
        raise AssertionError(f"{'/'.join(map(str, e.path))}: {e.message[:200]}")
