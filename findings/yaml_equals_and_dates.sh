#!/usr/bin/env bash
# PyYAML==6.0.4, ruamel.yaml==0.19.1 (pip)
#
# Expected: `stipulation: =` (a stalemate, in chess problems) is a mapping with a text in YAML 1.2: its core schema
# (section 10.3) knows nulls, booleans and numbers, and all else is a text. So is `date: 1950-00-00`, a date whose
# month is unknown. ruamel.yaml reads YAML 1.2 (its README). A reader of YAML 1.1 that doesn't accept a value raises
# its own error, which a program that reads files from elsewhere catches.
#
# What happens: a lone "=" is the "value" type of YAML 1.1 for both, and neither has a constructor for it. The safe
# loaders refuse the file. The round-trip loader, the default of ruamel.yaml, gives an object that isn't equal to "=".
# A date that doesn't exist raises ValueError, which isn't a `YAMLError` and names no line. "==" and "1-0" are texts.
#
# Seen on 2026-11-30: the lines below `seen`.
set -euo pipefail
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
python3 -m venv venv
venv/bin/pip install -q PyYAML==6.0.4 ruamel.yaml==0.19.1

cat >seen <<'END'
result: 1-0
  PyYAML: '1-0'
  ruamel.yaml, safe: '1-0'
  ruamel.yaml: '1-0'
stipulation: ==
  PyYAML: '=='
  ruamel.yaml, safe: '=='
  ruamel.yaml: '=='
stipulation: =
  PyYAML: ConstructorError, a YAMLError: True
  ruamel.yaml, safe: ConstructorError, a YAMLError: True
  ruamel.yaml: TaggedScalar, equal to its text: False
date: 1950-00-00
  PyYAML: ValueError, a YAMLError: False
  ruamel.yaml, safe: ValueError, a YAMLError: False
  ruamel.yaml: ValueError, a YAMLError: False
END

cat >run.py <<'END'
import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

READERS = {
    "PyYAML": yaml.safe_load,
    "ruamel.yaml, safe": YAML(typ="safe").load,
    "ruamel.yaml": YAML().load,
}
for text in "result: 1-0", "stipulation: ==", "stipulation: =", "date: 1950-00-00":
    print(text)
    field, value = text.split(": ")
    for name, load in READERS.items():
        try:
            found = load(text)[field]
        except Exception as error:
            known = isinstance(error, yaml.YAMLError | YAMLError)
            print(f"  {name}: {type(error).__name__}, a YAMLError: {known}")
        else:
            if isinstance(found, str):
                print(f"  {name}: {found!r}")
            else:
                print(f"  {name}: {type(found).__name__}, equal to its text: {found == value}")
END

venv/bin/python run.py | diff seen -
