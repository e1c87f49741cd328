#!/usr/bin/env python3
"""Starts Python's scripts with the modules of most tests loaded: without, each of hundreds loads NumPy in 0.1 s and
nibabel in 0.2 s.

It waits for requests as prestart.c does, whose struct request is HEAD, and runs the script in a child for each. What has
options in front of the script is given back, for Python itself to start."""
import atexit  # SPDX-License-Identifier: MIT
import ctypes
import fcntl
import gc
import importlib
import os
import resource
import select
import signal
import socket
import struct
import sys
import traceback
import types

HEAD = struct.Struct(f"=6I{2 * 16}Q")
REPLY = struct.Struct("=i4xd")
N_FILES = 10
MODULES = "csv json re zlib hashlib tempfile shutil subprocess tifffile nibabel pydicom dicom tiff ipc"


def begin(connection):
    """In the child: what the caller sent is what the script is started with. Returns its name, text and module."""
    head, files, _, _ = socket.recv_fds(connection, HEAD.size, N_FILES + 1)
    n, m, size, mask, opened, ignored, *limits = HEAD.unpack(head)
    words = [os.fsdecode(w) for w in connection.recv(size, socket.MSG_WAITALL).split(b"\0")]
    if n < 2 or words[1][:1] == "-" and words[1] not in ("-", "-c"):
        connection.send(REPLY.pack(-1, 0))
        os._exit(0)
    os.fchdir(files[-1])
    os.umask(mask)
    files = [fcntl.fcntl(f, fcntl.F_DUPFD, 64) for f in files[:-1]]  # out of the way of those below
    for i in range(N_FILES):
        if opened >> i & 1:
            os.dup2(files.pop(0), i)
        else:
            os.closerange(i, i + 1)
    os.closerange(N_FILES, 4096)
    os.environ.clear()
    os.environ.update(w.split("=", 1) for w in words[n:n + m])
    own = {signal.SIGINT: signal.default_int_handler, signal.SIGPIPE: signal.SIG_IGN, signal.SIGXFSZ: signal.SIG_IGN}
    for i in set(range(1, 32)) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(i, signal.SIG_IGN if ignored >> i & 1 else own.get(i, signal.SIG_DFL))
    for i in range(len(limits) // 2):
        resource.setrlimit(i, [v if v < 1 << 63 else -1 for v in limits[2 * i:2 * i + 2]])
    for one in {door, connection, *(c for c, _, _ in callers.values())}:
        one.detach()  # they are closed
    sys.stdin = open(0, errors="surrogateescape", closefd=False)
    sys.stdout = open(1, "w", errors="surrogateescape", closefd=False)
    sys.stderr = open(2, "w", 1, errors="backslashreplace", closefd=False)

    name, sys.argv = words[1], words[1:n]
    sys.path[:0] = [os.path.dirname(os.path.realpath(name)) if name[0] != "-" else ""] + [
        p for p in os.environ.get("PYTHONPATH", "").split(":") if p]
    sys.modules["__main__"] = main = types.ModuleType("__main__")
    if name == "-c":
        return "<string>", sys.argv.pop(1), main
    main.__file__ = name = "<stdin>" if name == "-" else name
    with open(0 if name == "<stdin>" else name, "rb", closefd=name != "<stdin>") as f:
        return name, f.read(), main


def run(name, text, main):
    """The status. Python's own end of the process would touch, and so copy, all that was loaded ahead."""
    status = None
    try:
        exec(compile(text, name, "exec"), vars(main))
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
        status = 1
    vars(main).clear()  # files are closed
    atexit._run_exitfuncs()
    if isinstance(status, str):
        print(status, file=sys.stderr)
        status = 1
    sys.stdout.flush()
    return int(status or 0) & 255


ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
if os.getppid() != int(os.environ["PRESTARTED_AT"]):
    sys.exit()
for module in MODULES.split():  # those that are there
    try:
        importlib.import_module(module)
    except ImportError:
        pass
del sys.path[0]  # of this script, where dicom, tiff and ipc are
door = socket.socket(socket.AF_UNIX)
door.bind(f"\0prestarted-{os.environ['PRESTARTED_AT']}-python3")
door.listen(64)
gc.collect()
gc.freeze()
callers = {}  # by the descriptor of the child, and by that of the connection: both, and the child
poll = select.poll()
poll.register(door, select.POLLIN)
while True:
    for fd, _ in poll.poll():
        if fd == door.fileno():
            connection, _ = door.accept()
            child = os.fork()
            if not child:
                os._exit(run(*begin(connection)))
            ended = os.pidfd_open(child)
            callers[ended] = callers[connection.fileno()] = (connection, ended, child)
            poll.register(ended, select.POLLIN)
            poll.register(connection, 0)  # POLLHUP alone
        elif fd in callers:
            connection, ended, child = callers[fd]
            if fd != ended:
                os.kill(child, signal.SIGKILL)
            _, status, used = os.wait4(child, 0)
            try:
                connection.send(REPLY.pack(status, used.ru_utime + used.ru_stime))
            except OSError:
                pass
            for one in ended, connection.fileno():
                poll.unregister(one)
                del callers[one]
            os.close(ended)
            connection.close()
