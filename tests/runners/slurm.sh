# shellcheck shell=bash
# slurm.sh - a Slurm of its own on this host: munged, slurmctld, several slurmd, and, with MariaDB, slurmdbd. Sourced.
# It needs no root, no systemd, no cgroups, and only ports of 127.0.0.1. Configuration, key, sockets, state, and logs
# stand in one folder, and slurm_stop ends every process that was started for it, jobs too.
#   slurm_missing             prints the Debian packages that are missing; nothing when all are installed
#   slurm_begin FOLDER        the folder, its key, munged
#   slurm_account             accounting (sacct); before slurm_start
#   slurm_start NODES [LINE...]   slurmctld and nodes n1, n2, ...; further lines of slurm.conf
#   slurm_kill_node NODE      as a power failure: slurmd and all its jobs end by SIGKILL
#   slurm_start_node NODE     starts slurmd
#   slurm_stop
PATH=$PATH:/usr/sbin:/sbin
slurm_why='' slurm_accounting=()
slurm_cpus=2 # of a node

slurm_missing() {
    local pair missing=()
    for pair in slurmctld:slurmctld slurmd:slurmd sbatch:slurm-client munged:munge; do
        command -v "${pair%:*}" >/dev/null || missing+=("${pair#*:}")
    done
    echo "${missing[*]}"
}

# slurm_end LOG VARIABLE=VALUE: ends all processes that have LOG open (daemons and their steps, whose environment cannot
# be seen), and those of this cluster whose environment has the variable, until there are none.
slurm_end() {
    local processes folder=$CLUSTER_FOLDER
    while processes=$({
        unset CLUSTER_FOLDER # so that what looks is not found
        find /proc/[0-9]*/fd -lname "$folder/$1"
        grep -lzxF "CLUSTER_FOLDER=$folder" /proc/[0-9]*/environ | xargs -r grep -lzxF "$2"
    } 2>/dev/null | env -u CLUSTER_FOLDER cut -d/ -f3 | env -u CLUSTER_FOLDER sort -un) && [ -n "$processes" ]; do
        # shellcheck disable=SC2086
        kill -KILL $processes 2>/dev/null
        sleep 0.1
    done
}

# slurm_wait WHAT COMMAND...: until the command succeeds.
slurm_wait() {
    local tries=0
    until "${@:2}" >/dev/null 2>&1; do
        [ $((tries++)) -lt 300 ] || { slurm_why="$1: still not so after a minute"; return 1; }
        sleep 0.2
    done
}

# slurm_ports: ten ports in a row that are free, the first one in $slurm_port.
slurm_ports() {
    local port
    for _ in {1..50}; do
        slurm_port=$((20000 + RANDOM % 1000 * 10))
        for ((port = slurm_port; port < slurm_port + 10; port++)); do
            ! (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
        done
        return 0
    done
    slurm_why='no ten free ports in a row'
    return 1
}

slurm_begin() { # slurm_begin FOLDER: the key, munged
    export CLUSTER_FOLDER=$1 SLURM_CONF=$1/slurm.conf
    mkdir -p "$1/state" "$1/munge" && chmod 700 "$1/munge" && slurm_ports || return 1
    (umask 077; head -c 1024 /dev/urandom >"$1/munge/key")
    munged --force --key-file="$1/munge/key" --socket="$1/munge/socket" --pid-file="$1/munge/pid" \
        --log-file="$1/munge/log" --seed-file="$1/munge/seed" >"$1/munge/said" 2>&1 ||
        { slurm_why="munged: $(tail -n 1 "$1/munge/said")"; return 1; }
}

# Accounting: a database of its own, and slurmdbd. Left out where their packages are missing.
slurm_account() {
    local folder=$CLUSTER_FOLDER database=$((slurm_port + 9)) daemon=$((slurm_port + 8)) options
    for program in slurmdbd mariadbd mariadb-install-db mariadb; do
        command -v $program >/dev/null || { slurm_why="$program is not installed"; return 1; }
    done
    options=(--no-defaults --datadir="$folder/database" --user="$(id -un)")
    mariadb-install-db "${options[@]}" --auth-root-authentication-method=normal --skip-test-db \
        >"$folder/database.log" 2>&1 ||
        { slurm_why="mariadb-install-db: $(tail -n 1 "$folder/database.log")"; return 1; }
    mariadbd "${options[@]}" --socket="$folder/database.socket" --bind-address=127.0.0.1 --port=$database \
        --skip-name-resolve --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=64M \
        --innodb-lock-wait-timeout=900 >>"$folder/database.log" 2>&1 </dev/null &
    disown # its end is not worth a line
    slurm_sql() { mariadb --no-defaults -S "$folder/database.socket" -u root -e "$1"; }
    slurm_wait mariadbd slurm_sql 'select 1' && slurm_sql "create database slurm;
        create user slurm@'127.0.0.1' identified by 'x'; grant all on slurm.* to slurm@'127.0.0.1'" || return 1
    (
        umask 077
        cat >"$folder/slurmdbd.conf" <<CONF
AuthType=auth/munge
AuthInfo=$folder/munge/socket
DbdHost=localhost
DbdPort=$daemon
SlurmUser=$(id -un)
LogFile=$folder/slurmdbd.log
PidFile=$folder/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort=$database
StorageUser=slurm
StoragePass=x
StorageLoc=slurm
CONF
    )
    slurm_accounting=(AccountingStorageType=accounting_storage/slurmdbd AccountingStorageHost=localhost
        "AccountingStoragePort=$daemon" "AccountingStoragePass=$folder/munge/socket" JobAcctGatherFrequency=1)
}

slurm_start_node() {
    slurmd -N "$1" -f "$SLURM_CONF" >>"$CLUSTER_FOLDER/started" 2>&1 ||
        { slurm_why="slurmd: $(tail -n 1 "$CLUSTER_FOLDER/started")"; return 1; }
}
slurm_kill_node() { slurm_end "slurmd.$1.log" "SLURMD_NODENAME=$1"; }
slurm_idle() { [ "$(sinfo -h -N -t idle -o %N | sort -u | wc -l)" -eq "$1" ]; }

slurm_known() {
    sacctmgr -i add cluster warpscape >>"$CLUSTER_FOLDER/started" 2>&1 # fails when it was added after all
    sacctmgr -n -P list cluster format=cluster | grep -qx warpscape
}

slurm_start() { # slurm_start NODES [LINE...]
    local folder=$CLUSTER_FOLDER nodes=$1 node
    shift
    cat >"$SLURM_CONF" <<CONF
ClusterName=warpscape
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=$slurm_port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
ReturnToService=2
SlurmdTimeout=6
KillWait=2
$(printf '%s\n' "${slurm_accounting[@]}" "$@")
NodeName=DEFAULT CPUs=$slurm_cpus RealMemory=2000
NodeName=n[1-$nodes] NodeHostname=localhost NodeAddr=127.0.0.1 Port=[$((slurm_port + 1))-$((slurm_port + nodes))]
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
    echo 'CgroupAutomount=no' >"$folder/cgroup.conf"
    if [ ${#slurm_accounting[@]} -gt 0 ]; then
        slurmdbd >>"$folder/started" 2>&1 || { slurm_why="slurmdbd: $(tail -n 1 "$folder/started")"; return 1; }
        slurm_wait 'slurmdbd knows no cluster' slurm_known ||
            { slurm_why+=" ($(tail -n 1 "$folder/started"))"; return 1; }
    fi
    slurmctld -f "$SLURM_CONF" >>"$folder/started" 2>&1 ||
        { slurm_why="slurmctld: $(tail -n 1 "$folder/started")"; return 1; }
    for ((node = 1; node <= nodes; node++)); do
        mkdir -p "$folder/spool.n$node" && slurm_start_node "n$node" || return 1
    done
    slurm_wait 'the nodes are not idle' slurm_idle "$nodes" ||
        { slurm_why+=" ($(grep -h error "$folder"/slurm*.log | tail -n 1))"; return 1; }
}
slurm_stop() {
    [ -z "${CLUSTER_FOLDER:-}" ] || slurm_end 'slurm*.log' "CLUSTER_FOLDER=$CLUSTER_FOLDER"
}
