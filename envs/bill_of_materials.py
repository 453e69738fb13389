"""Print a software bill of materials (CycloneDX 1.6) of the installed environment.

Every package with its version and licence; one sentence on the standard error names those that do
not say their licence.
"""

import json
import re
import sys
from importlib import metadata


def licence(package: metadata.PackageMetadata) -> str:
    """Licence of a package: its SPDX expression, else its classifiers, else its first words."""
    if expression := package.get("License-Expression"):
        return expression
    classifiers = [
        line.rsplit("::", 1)[1].strip()
        for line in package.get_all("Classifier") or []
        if line.startswith("License ::") and line.count("::") > 1
    ]
    said = (package.get("License") or "").strip().split("\n")[0]
    return " AND ".join(classifiers) or said[:80]


def bill() -> dict[str, object]:
    """Collect the installed packages as CycloneDX components, by name."""
    components = {}
    for distribution in metadata.distributions():
        package = distribution.metadata
        name = re.sub(r"[-_.]+", "-", package["Name"]).lower()
        component: dict[str, object] = {
            "type": "library",
            "name": name,
            "version": distribution.version,
            "purl": f"pkg:pypi/{name}@{distribution.version}",
        }
        if words := licence(package):
            component["licenses"] = [{"license": {"name": words}}]
        components[name] = component
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "components": [components[name] for name in sorted(components)],
    }


if __name__ == "__main__":
    made = bill()
    json.dump(made, sys.stdout, indent=1)
    print()
    silent = [part["name"] for part in made["components"] if "licenses" not in part]
    if silent:
        print(f"No licence is said by: {', '.join(silent)}.", file=sys.stderr)
