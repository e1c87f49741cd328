#!/bin/sh
# Segments that are killed at moments which the seed chooses (SEED=N), that GNU parallel starts, and that a real
# Slurm of two nodes on this host starts, requeues and joins. Needs root, and Debian's packages.
# shellcheck disable=SC2086 # words
. "$(dirname "$0")/lib.sh" # SPDX-License-Identifier: MIT
: "${SEED:=1}" "${ROUNDS:=60}"
clip a.mp4 lavfi:testsrc2=size=160x120:rate=25:duration=60 -f lavfi -i sine=frequency=440:duration=60 \
    -vf noise=alls=20:allf=t -c:v libx264 -c:a aac
options='-f median,noise=sigma=5,closing=slices=2 --codec libx264'
export RUNNEL_DEVICE=none
mkdir bin work && ln -s "$RUNNEL" bin/runnel
PATH=$PWD/bin:$PATH
into work/job.json runnel plan a.mp4 work/o.mkv -n 3 $options
threads=$(jq -r '.words[] | select(startswith("--threads="))' work/job.json)
ok runnel render a.mp4 one.mkv $options "$threads" -q

begin "killed at any moment, run again: the bytes of one run"
round=0 kills=0
while [ $round -lt "$ROUNDS" ]; do
    round=$((round + 1))
    [ $((round % 12)) = 1 ] && rm -f work/o.mkv*
    step=$(((SEED * 7919 + round * 104729) % 4))
    case $step in
    0) set -- runnel plan a.mp4 work/o.mkv -n 3 $options ;;
    1) set -- runnel join work/job.json -y -q ;;
    *) set -- runnel render --plan work/job.json --segment $((step - 1 + (round % 2)))/3 -q ;;
    esac
    timeout -s KILL 0.$(((SEED * 31 + round * 7919) % 900 + 100)) "$@" >out 2>err
    rc=$?
    [ $rc = 137 ] && kills=$((kills + 1))
    case $rc in 0 | 6 | 137) ;; *) complain "round $round: status $rc: $*: $(cat err)" ;; esac
    [ $rc != 0 ] || [ $step != 1 ] || expect_same work/o.mkv one.mkv
    [ ! -e work/o.mkv ] || expect_same work/o.mkv one.mkv
done
for i in 1 2 3; do ok runnel render --plan work/job.json --segment $i/3 -q; done
ok runnel join work/job.json -y -q
expect_same work/o.mkv one.mkv
echo "# killed $kills of $round"
[ $kills -ge $((ROUNDS / 4)) ] || complain "only $kills were killed"

begin "the disk is full, and then it is not"
if mkdir small && mount -t tmpfs -o size=600k none small 2>/dev/null; then
    mounts=small
    fails 4 '' runnel render --plan work/job.json --segment 1/3 -q --dir small
    mount -o remount,size=64m small
    for i in 1 2 3; do ok runnel render --plan work/job.json --segment $i/3 -q --dir small; done
    ok runnel join work/job.json -y -q --dir small
    expect_same work/o.mkv one.mkv
else
    skip_this "cannot mount"
fi

begin "GNU parallel, as the manual has it"
if command -v parallel >/dev/null; then
    rm work/o.mkv*
    ok sh -c 'seq 3 | parallel --will-cite runnel render -q --plan work/job.json --segment {}/3'
    ok runnel join work/job.json -q
    expect_same work/o.mkv one.mkv
else
    skip_this "there is no parallel"
fi

begin "Slurm, as the manual has it: an array, a task that is requeued, and a join"
if command -v slurmctld >/dev/null && [ "$(id -u)" = 0 ]; then
    mkdir -p slurm/state slurm/n1 slurm/n2 /run/munge
    chown munge: /run/munge
    [ -s /etc/munge/munge.key ] || { dd if=/dev/urandom of=/etc/munge/munge.key bs=1 count=1024 status=none &&
        chown munge: /etc/munge/munge.key && chmod 400 /etc/munge/munge.key; }
    pgrep -x munged >/dev/null || su munge -s /bin/sh -c munged
    cat >slurm/slurm.conf <<CONF
ClusterName=test
SlurmctldHost=localhost
SlurmUser=root
SlurmctldPort=17101
StateSaveLocation=$PWD/slurm/state
SlurmdSpoolDir=$PWD/slurm/%n
SlurmdPidFile=$PWD/slurm/%n.pid
SlurmdLogFile=$PWD/slurm/%n.log
SlurmctldPidFile=$PWD/slurm/ctld.pid
SlurmctldLogFile=$PWD/slurm/ctld.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerType=sched/builtin
KillWait=5
MinJobAge=600
NodeName=n1 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17111 CPUs=2
NodeName=n2 NodeHostname=localhost NodeAddr=127.0.0.1 Port=17112 CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES State=UP
CONF
    export SLURM_CONF="$PWD/slurm/slurm.conf"
    slurmctld -c && slurmd -N n1 -c && slurmd -N n2 -c
    both_idle() { [ "$(sinfo -h -N -o %T | grep -c idle)" = 2 ]; }
    wait_for $patience both_idle || complain "$(sinfo 2>&1)"
    rm -f work/o.mkv*
    into work/job.json runnel plan a.mp4 work/o.mkv -n 6 $options "$threads"
    ok sbatch --parsable --requeue --array=1-6 --open-mode=append \
        --wrap='exec runnel render --plan work/job.json --segment slurm'
    job=$(cat out)
    running() { [ "$(squeue -h -j "$job" -t R -o %i | wc -l)" -ge 1 ]; }
    wait_for $patience running
    task=$(squeue -h -j "$job" -t R -o %i | head -n 1)
    scancel --signal=KILL --full "$task" # one dies, and is started again by hand, as after a lost node
    ok sbatch --parsable --dependency=afterany:"$job" --wrap='exec runnel join work/job.json -q'
    first=$(cat out)
    ended() { ! squeue -h -j "$1" 2>/dev/null | grep -q .; }
    wait_for 300 ended "$first" || complain "$(squeue)"
    expect_no_file work/o.mkv # it names what is missing
    grep -qs 'segment .* is missing' slurm-"$first".out || complain "$(cat slurm-"$first".out)"
    ok sbatch --parsable --array=1-6 --open-mode=append \
        --wrap='exec runnel render --plan work/job.json --segment slurm'
    again=$(cat out)
    ok sbatch --parsable --dependency=afterany:"$again" --wrap='exec runnel join work/job.json -q'
    wait_for 300 ended "$(cat out)" || complain "$(squeue)"
    expect_same work/o.mkv one.mkv
    grep -l 'is complete' slurm-"$again"_*.out >whole
    [ "$(wc -l <whole)" -ge 5 ] || complain "only $(wc -l <whole) segments were left alone"
    scontrol shutdown
    down() { ! pgrep -x slurmctld >/dev/null; }
    wait_for $patience down
else
    skip_this "there is no Slurm, or no root"
fi
