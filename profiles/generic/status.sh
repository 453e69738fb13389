#!/bin/sh
# Prints running, success or failed for a job id. Slurm's; for another scheduler change two lines.
state=$(scontrol --oneliner show job "$1" 2>/dev/null | sed -n 's/.* JobState=\([A-Z_]*\).*/\1/p')
[ -n "$state" ] || state=$(sacct --jobs="$1" --allocations --noheader --format=State%20 2>/dev/null | awk '{print $1; exit}')
case "$state" in
    COMPLETED) echo success ;;
    BOOT_FAIL | CANCELLED* | DEADLINE | FAILED | NODE_FAIL | OUT_OF_MEMORY | PREEMPTED | REVOKED | TIMEOUT)
        echo failed ;;
    *) echo running ;;  # also where the scheduler does not answer for a moment
esac
