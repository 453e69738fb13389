#!/usr/bin/env bash
# A real Slurm of one node on this machine, for tests: `cluster.sh install|start|stop`, as root.
# `install` takes Debian's packages, if they are missing. `start` refuses where a Slurm is configured already;
# `stop` ends, by their process ids, the daemons that `start` started, and removes its files.
set -euo pipefail

CONFIG=/etc/slurm/slurm.conf  # The jobstep plugin drops SLURM_CONF: the default name is the only one.
MARK="# made by tests/slurm/cluster.sh"
STATE=/run/accuracy-curves-slurm
DAEMONS=(slurmd slurmctld munged)
PATH=$PATH:/usr/sbin

fail() { printf 'cluster.sh: %s\n' "$*" >&2; exit 1; }

ours() { [ -e "$CONFIG" ] && head -n 1 "$CONFIG" | grep -qxF "$MARK"; }

missing() {
    for command in "${DAEMONS[@]}" sbatch; do
        command -v "$command" >/dev/null || { echo "$command"; return; }
    done
}

install() {
    [ -n "$(missing)" ] || return 0
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null ||
        fail "$(missing) is missing, and only root on Debian can install slurm-wlm and munge"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get update -qq && apt-get install -y -qq --no-install-recommends slurm-wlm munge \
        >/dev/null; } || fail "apt-get could not install slurm-wlm and munge; see above"
}

start() {
    [ "$(id -u)" = 0 ] || fail "root is needed"
    [ -z "$(missing)" ] || fail "$(missing) is missing: run '$0 install'"
    if [ -e "$CONFIG" ]; then
        ours || fail "$CONFIG exists and is not ours: this machine has a Slurm already"
        stop  # left behind by a killed test
    fi
    mkdir -p /etc/slurm "$STATE" "$STATE/spool" "$STATE/save"
    head -c 1024 /dev/urandom >"$STATE/munge.key"
    chmod 600 "$STATE/munge.key"
    cpus=$(nproc --all)  # Without --all it says OMP_NUM_THREADS.
    memory=$(awk '/^MemTotal/ {print int($2 / 1024)}' /proc/meminfo)
    host=$(hostname -s)
    cat >"$CONFIG" <<CONF
$MARK
ClusterName=tests
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$STATE/munge.socket
CryptoType=crypto/munge
StateSaveLocation=$STATE/save
SlurmdSpoolDir=$STATE/spool
SlurmctldPidFile=$STATE/slurmctld.pid
SlurmdPidFile=$STATE/slurmd.pid
SlurmctldLogFile=$STATE/slurmctld.log
SlurmdLogFile=$STATE/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
# Without cgroups, memory is watched by polling: a job above its request is killed.
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
SchedulerParameters=sched_interval=1,batch_sched_delay=0,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
AccountingStorageType=accounting_storage/none
ReturnToService=2
MinJobAge=3600
# A job that can never run is refused when it is submitted.
EnforcePartLimits=ALL
KillWait=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=$memory State=UNKNOWN
PartitionName=short Nodes=$host Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP
CONF
    munged --force --key-file="$STATE/munge.key" --socket="$STATE/munge.socket" \
        --pid-file="$STATE/munged.pid" --log-file="$STATE/munged.log" --seed-file="$STATE/seed"
    slurmctld -c
    slurmd -N "$host"
    for _ in $(seq 100); do
        [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && return 0
        sleep 0.2
    done
    tail -n 20 "$STATE"/*.log >&2
    stop
    fail "the node is not idle after 20 s; the logs are above"
}

stop() {
    ours || return 0
    scancel --user=root --quiet 2>/dev/null || true
    for daemon in "${DAEMONS[@]}"; do
        pid=$(cat "$STATE/$daemon.pid" 2>/dev/null) || continue
        [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$daemon" ] || continue
        kill "$pid"
        for _ in $(seq 50); do [ -e "/proc/$pid" ] || break; sleep 0.1; done
        if [ -e "/proc/$pid" ]; then kill -9 "$pid"; fi
    done
    rm -rf "$CONFIG" "$STATE"
    rmdir --ignore-fail-on-non-empty /etc/slurm
}

case "${1:-}" in
    install | start | stop) "$1" ;;
    *) fail "usage: cluster.sh install|start|stop" ;;
esac
