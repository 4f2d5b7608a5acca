"""A Redis of one's own: on a free port of the loopback, with a directory of its own, and gone when it is stopped."""

import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

PASSWORD = "a password"
PATIENCE = 60.0


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class RedisServer:
    def __init__(self, *options):
        if shutil.which("redis-server") is None:
            raise RuntimeError("redis-server is missing: install the package redis-server")
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-redis-", ignore_cleanup_errors=True)
        self.options = options
        for _ in range(20):
            self.port = free_port()
            if self.start():
                return
        raise RuntimeError((pathlib.Path(self.folder.name) / "log").read_text())

    def start(self):
        """False: it has ended at once; somebody else may have taken the port."""
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--requirepass", PASSWORD, "--dir",
             self.folder.name, "--save", "", "--logfile", "log", "--appendonly", "yes", "--daemonize", "no",
             *self.options],
            stdin=subprocess.DEVNULL,
        )  # fmt: skip
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self.process.poll() is not None:
                return False
            try:
                if self.command("PING").startswith(b"+PONG"):
                    return True
            except OSError:
                pass
            time.sleep(0.01)
        return False

    def command(self, *words, password=PASSWORD):
        """What it answers to one command, as it is sent; for tests only."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            data = b""
            all = ([("AUTH", password)] if password else []) + [words, ("ECHO", "the end")]
            for one in all:
                connection.sendall(b"*%d\r\n" % len(one))
                for word in one:
                    word = word if isinstance(word, bytes) else str(word).encode()
                    connection.sendall(b"$%d\r\n%s\r\n" % (len(word), word))
            while not data.endswith(b"the end\r\n"):
                more = connection.recv(65536)
                if not more:
                    raise OSError("closed")
                data += more
            data = data[: data.rindex(b"$7\r\n")]
            return data.split(b"\r\n", 1)[1] if password else data

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}/0"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def keep_aside(self):
        """What is on its disk now is what it will know after forget()."""
        aside = pathlib.Path(self.folder.name) / "aside"
        shutil.rmtree(aside, ignore_errors=True)
        shutil.copytree(pathlib.Path(self.folder.name) / "appendonlydir", aside)

    def forget(self):
        folder = pathlib.Path(self.folder.name)
        shutil.rmtree(folder / "appendonlydir")
        (folder / "aside").rename(folder / "appendonlydir")

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def environment(**more):
    return {"HEDDLE_REDIS_PASSWORD": PASSWORD, **more}


def without_password():
    return {name: value for name, value in os.environ.items() if name != "HEDDLE_REDIS_PASSWORD"}
