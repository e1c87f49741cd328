"""A process of another user, until it is killed. What stands under each NAME is in turn a link to PLANTED, one to
PRECIOUS, a copy of planted/, a folder, a file, a socket, and nothing. races.py PLANTED PRECIOUS NAME..."""
import itertools  # SPDX-License-Identifier: MIT
import os
import shutil
import socket
import sys

planted, precious, *names = sys.argv[1:]
servers = []


def listen(path):
    servers.append(socket.socket(socket.AF_UNIX))
    servers[-1].bind(path)
    servers[-1].listen()


makers = [lambda path: os.symlink(planted, path), lambda path: os.symlink(precious, path),
          lambda path: shutil.copytree('planted', path, symlinks=True), os.mkdir,
          lambda path: open(path, 'w').close(), listen]
for turn in itertools.count():
    if turn == 1000:
        print(f'1000 turns of user {os.getuid()}', flush=True)
    for name in names:
        kind = turn % len(makers)
        try:  # what the first user has made in a sticky folder stays there
            if not os.path.lexists(f'{name}.{kind}'):  # he has replaced it, or this is the first turn
                makers[kind](f'{name}.{kind}')
            os.rename(f'{name}.{kind}', name)
            os.rename(name, f'{name}.{kind}')
        except OSError:
            pass
