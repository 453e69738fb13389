"""Files of other tools, read as scores of probes for identities."""
