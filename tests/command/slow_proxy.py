"""A proxy on the loopback whose connections can be made to stall: nothing comes through, and nobody is told."""

import select
import socket
import threading


class Proxy:
    def __init__(self, port):
        self.target = port
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.flows = threading.Event()
        self.flows.set()
        self.ended = False
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    @property
    def url(self):
        return f"redis://127.0.0.1:{self.port}/0"

    def run(self):
        others = {}

        def drop(one):
            for end in (one, others.pop(one, None)):
                if end is not None:
                    others.pop(end, None)
                    end.close()

        while not self.ended:
            ready, _, _ = select.select([self.listener, *others], [], [], 0.05)
            if not self.flows.wait(0.05):
                continue
            for one in ready:
                if one is self.listener:
                    ours, _ = self.listener.accept()
                    try:
                        theirs = socket.create_connection(("127.0.0.1", self.target), timeout=5)
                    except OSError:
                        ours.close()
                        continue
                    others[ours], others[theirs] = theirs, ours
                elif one in others:
                    try:
                        data = one.recv(65536)
                        if not data:
                            raise OSError("closed")
                        others[one].sendall(data)
                    except OSError:
                        drop(one)
        for one in list(others):
            one.close()
        self.listener.close()

    def stall(self):
        self.flows.clear()

    def go_on(self):
        self.flows.set()

    def stop(self):
        self.ended = True
        self.flows.set()
        self.thread.join()
