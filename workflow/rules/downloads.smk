# Original files of the papers. A file that is there is the output of no rule, however it came
# there: it is not fetched again, whatever changes, and is checked by the job that reads it.


for download in DOWNLOADS:

    rule:
        name:
            f"download_{download.name}"
        output:
            # A file put there by hand meanwhile is not removed.
            [update(path) for path in download.files],
        log:
            f"{LOGS}/download/{download.name}.log",
        # First of all: what is missing is said before days of computing.
        priority: 1000
        retries: 0
        # Nodes of a cluster often have no network. User names and passwords are read from the
        # environment by the job itself: no parameter, log or file of Snakemake has them.
        localrule: True
        conda:
            ENVIRONMENT
        params:
            sources=download.sources,
        message:
            f"Fetching {len(download.files)} files of {download.name}."
        script:
            "../scripts/download.py"


# Files of presets that are made of public ones.
for converted, place in CONVERSIONS.items():

    rule:
        name:
            f"convert_{Path(converted).stem}"
        output:
            update(place),
        log:
            f"{LOGS}/download/{converted}.log",
        priority: 100
        retries: 0
        localrule: True
        conda:
            ENVIRONMENT
        message:
            f"Fetching what {converted} is made of."
        script:
            "../scripts/convert.py"
