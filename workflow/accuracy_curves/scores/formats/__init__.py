"""What others' tools write, read as scores of probes for identities."""
