"""What a script in Python does for the same files: load each with libyaml, validate it with the published schema."""

import json
import pathlib
import sys

import jsonschema
import yaml

schema = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
validator = jsonschema.validators.validator_for(schema)(schema)
faults = 0
for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
    document = yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)
    # The schema describes what stands under the root key.
    for error in validator.iter_errors(document["SESSION_STATE"]):
        faults += 1
        print(f"{path}: {error.json_path}: {error.message}")
sys.exit(1 if faults else 0)
