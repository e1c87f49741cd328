"""What the tests of --ipc share: a client of the socket."""
import json  # SPDX-License-Identifier: MIT
import os
import socket
import sys
import time


class Player:
    def __init__(self, path="sock"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(60)
        self.socket.connect(path)
        self.lines = self.socket.makefile("r", encoding="utf-8")
        self.events = []
        self.n = 0

    def send(self, *command, **more):
        self.n += 1
        line = json.dumps(dict(command=command, request_id=self.n, **more))
        self.socket.sendall(line.encode() + b"\n")
        return self.n

    def message(self):
        line = self.lines.readline()
        if not line:
            raise EOFError("the player has hung up")
        return json.loads(line)

    def answer(self, n):
        while True:
            message = self.message()
            if "event" in message:
                self.events.append(message)
            elif message["request_id"] == n:
                return message
            else:
                raise AssertionError("answer %s instead of %d" % (message, n))

    def ask(self, *command, **more):
        return self.answer(self.send(*command, **more))

    def __call__(self, *command, **more):
        answer = self.ask(*command, **more)
        assert answer["error"] == "success", (command, answer)
        return answer["data"]

    def refused(self, *command):
        answer = self.ask(*command)
        assert answer["error"] != "success" and answer["data"] is None, (command, answer)
        return answer["error"]

    def event(self, **wanted):
        """The next event with these members, among those that came already too."""
        while True:
            while self.events:
                event = self.events.pop(0)
                if all(event.get(k) == v for k, v in wanted.items()):
                    return event
            message = self.message()
            assert "event" in message, message
            self.events.append(message)


def expect(what, got, want):
    if got != want:
        sys.exit("%s: %r, not %r" % (what, got, want))
