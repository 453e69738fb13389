"""`python workflow/publish.py PRESET.yaml [--curves]`, in the folder where the preset was run."""

import sys
from pathlib import Path

from snakemake.utils import validate

from accuracy_curves.exceptions import AccuracyCurvesError
from experiments.checks import check_preset, read_preset
from experiments.publishing.publish import publish, publish_curves

SCHEMA = Path(__file__).parent / "schemas/config.schema.yaml"

path, *options = sys.argv[1:]
try:
    config = read_preset(path)
    # What the preset names, whether its data are here or not.
    config["absent"] = "expect"
    validate(config, str(SCHEMA))
    preset = check_preset(config)
    if options == ["--curves"]:
        count = publish_curves(preset, Path("results") / preset.name)
    else:
        count = publish(preset, Path())
except AccuracyCurvesError as error:
    sys.exit(f"Error: {error}")
print(f"{count} files of {preset.name} are published")
