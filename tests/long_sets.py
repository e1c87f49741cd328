"""A random walk over runs that write sets of names: pairs of header and samples, numbered files, single files with
a table and a report, media. Runs end by themselves, by a signal or two, by kill -9 or an error at the N-th
sync, rename, write or removal, by a limit of file sizes or a full disk, or two write one set at once. After each,
every set is what a run of it wrote whole, and the newest if that ended with 0; what a stopped run left is readable.

    long_sets.py [RUNS [SEED]]        RUNNEL: the program
"""

import atexit  # SPDX-License-Identifier: MIT
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

RUNS = int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else int(os.environ.get("RUNS") or 1000)
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 1
RUNNEL = os.environ.get("RUNNEL", os.path.join(os.path.dirname(__file__), "../build/runnel"))
OUTPUTS = ("q.nhdr", "q.mhd", "r.nhdr", "f_%03d.png", "g%d.tif", "v.nii", "w.tif", "d_%04d.dcm", "o.mkv",
           "o.mov")
BREAKER = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>
static int broken(const char *what)
{
    static int n;
    const char *wanted = getenv("CALL");
    if (!wanted || strcmp(what, wanted) || ++n != atoi(getenv("AT")))
        return 0;
    if (getenv("KILL"))
        kill(getpid(), SIGKILL);
    errno = EIO;
    return 1;
}
/* A file system without files that have no name. */
int openat(int dir, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, int) : 0;
    va_end(args);
    if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NAMED"))
        return errno = EOPNOTSUPP, -1;
    return syscall(SYS_openat, dir, path, flags, mode);
}
#define STAND(type, name, what, args, call)                                  \
    type name args                                                           \
    {                                                                        \
        type(*real) args = (type(*) args)dlsym(RTLD_NEXT, #name);            \
        return broken(what) ? -1 : real call;                                \
    }
STAND(int, fsync, "fsync", (int a), (a))
STAND(int, renameat, "rename", (int a, const char *b, int c, const char *d), (a, b, c, d))
STAND(int, renameat2, "rename", (int a, const char *b, int c, const char *d, unsigned e), (a, b, c, d, e))
STAND(int, linkat, "rename", (int a, const char *b, int c, const char *d, int e), (a, b, c, d, e))
STAND(int, unlink, "unlink", (const char *a), (a))
STAND(int, unlinkat, "unlink", (int a, const char *b, int c), (a, b, c))
STAND(ssize_t, write, "write", (int a, const void *b, size_t c), (a, b, c))
STAND(ssize_t, pwrite, "write", (int a, const void *b, size_t c, off_t d), (a, b, c, d))
"""


def run(*args, **kwargs):
    return subprocess.run([RUNNEL, *args], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                          timeout=60, **kwargs)


def pictures(name):
    """The checksums of its pictures; None: it cannot be read."""
    name = name.replace("%04d", "????")
    done = run("render", name, "md5:", "-q", "-d", "none")
    return "".join(line.split()[-1] + "\n" for line in done.stdout.splitlines()) if done.returncode == 0 else None


def exists(name):
    return os.path.exists(name % 0 if "%" in name else name)


def main():
    rng = random.Random(SEED)
    os.chdir(tempfile.mkdtemp())
    hows, disk = ["whole", "signal", "kill", "error", "limit", "two"], os.getcwd()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", disk], check=False).returncode == 0:
        atexit.register(subprocess.run, ["umount", "-l", disk], check=False)
        hows.append("full")
    os.chdir(disk)
    with open("../breaker-%d.c" % os.getpid(), "w", encoding="ascii") as f:
        f.write(BREAKER)
    library = os.path.abspath("../breaker-%d.so" % os.getpid())
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-w", f.name, "-o", library, "-ldl"], check=True)
    inputs = os.path.abspath("../inputs-%d" % os.getpid())
    os.mkdir(inputs)
    versions = {}
    for k in range(4):
        name = f"{inputs}/in{k}.npy"
        made = run("render", "lavfi:testsrc2=s=48x32:r=25,format=gray", name, "-q", "-d", "none", "--from", f"{k * 7}f",
                   "--frames", str(3 + k))
        assert made.returncode == 0, made.stderr
        versions[name] = pictures(name)
    holds = {name: None for name in OUTPUTS}  # what each set is; None: it is not there
    bad = 0

    def begin(output, name, env=None, limit=None, extra=()):
        words = [RUNNEL, "render", name, output, "-y", "-q", "-d", "none", *extra]
        words += {"o.mkv": ["--codec", "ffv1"],
                  "o.mov": ["--codec", "ffv1", "--codec-opts", "movflags=+faststart"]}.get(output, [])
        if "%" in output:
            words.append("--replace-set")
        if limit:
            words = ["sh", "-c", f'ulimit -f {limit}; exec "$@"', "-", *words]
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, env=dict(os.environ, **(env or {})))

    for i in range(RUNS):
        output, name = rng.choice(OUTPUTS), rng.choice(sorted(versions))
        how = rng.choice(hows)
        also, env, limit, extra = [], {}, None, []
        if how in ("kill", "error"):
            env = {"LD_PRELOAD": library, "CALL": rng.choice(("fsync", "rename", "unlink", "write")),
                   "AT": str(rng.randint(1, 14))}
            if how == "kill":
                env["KILL"] = "1"
        if rng.random() < 0.2:
            env.update(LD_PRELOAD=library, NAMED="1")
        if how == "limit":
            limit = rng.randint(1, 24)
        if how == "full":
            with open("filler", "wb") as f:
                free = os.statvfs(".").f_bavail * os.statvfs(".").f_frsize
                os.posix_fallocate(f.fileno(), 0, free - rng.randint(0, 24) * 4096)
        if rng.random() < 0.2:
            extra = ["--metrics", "m.json", "-f", "stats=file=t.csv"]
        process = begin(output, name, env, limit, extra)
        allowed = {holds[output], versions[name]}
        if how == "two":
            other = rng.choice(sorted(versions))
            also = [begin(output, other)]
            allowed.add(versions[other])
        if how == "signal":
            for _ in range(rng.choice((1, 1, 2))):
                time.sleep(rng.random() * 0.06)
                process.send_signal(rng.choice((signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)))
        said = process.communicate(timeout=60)[1]
        status = process.returncode
        for p in also:
            p.communicate(timeout=60)
        if how == "full":
            os.remove("filler")
        if status == 0 and how != "two":
            allowed = {versions[name]}
        run("render", f"{inputs}/in0.npy", "next.npy", "-y", "-q", "-d", "none")  # ends what a kill left
        for each in OUTPUTS if i % 20 == 19 or i == RUNS - 1 else (output,):
            found = pictures(each) if exists(each) else None
            wanted = allowed if each == output else {holds[each]}
            if found not in wanted:
                bad += 1
                print(f"# run {i} ({how} {env.get('CALL', '')} {env.get('AT', '')}, status {status}): {each} after writing "
                      f"{output} is {'gone' if not exists(each) else 'unreadable' if found is None else 'another'}: {said}")
            holds[each] = found
        if any(entry.startswith(".") for entry in os.listdir(".")):
            bad += 1
            print(f"# run {i} ({how}): left {[e for e in os.listdir('.') if e.startswith('.')]}")
        for entry in os.listdir("."):
            if entry.startswith("o.partial") and how == "signal" and not pictures(entry):
                bad += 1
                print(f"# run {i} ({how}): {entry} cannot be read")
            if ".partial" in entry or ".new" in entry:
                os.remove(entry)
        if i % 100 == 99:
            print(f"# {i + 1} runs, {bad} wrong", flush=True)
    print(("not ok" if bad else "ok") + f" 1 - {RUNS} runs leave no set that is not whole (seed {SEED})")
    return bad != 0


sys.exit(main())
