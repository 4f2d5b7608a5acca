"""Shortest ways on a graph with calls, by relaxation until nothing changes: slow, and simple to believe.

The way from a node is what is counted until another is reached; a node is counted when it is left behind.
"""

NEVER = float("inf")


class Graph:
    def __init__(self):
        self.cost = []
        self.returns = []  # whether the function ends with the node
        self.go = []  # nodes that may come next
        self.calls = []  # nodes with which functions begin that are called here
        self.behind = []  # where a call goes on, or None
        self.takes = []  # functions whose address is taken here

    def node(self, cost=0, returns=False):
        self.cost.append(cost)
        self.returns.append(returns)
        self.go.append([])
        self.calls.append([])
        self.behind.append(None)
        self.takes.append([])
        return len(self.cost) - 1

    def outs(self):
        """For each node, the way to a return of its function."""
        out = [NEVER] * len(self.cost)

        def better(node):
            ways = [0] if self.returns[node] else []
            ways += [out[other] for other in self.go[node]]
            if self.behind[node] is not None:
                ways += [out[callee] + out[self.behind[node]] for callee in self.calls[node]]
            return self.cost[node] + min(ways, default=NEVER)

        relax(out, better)
        return out

    def toward(self, targets, out):
        """For each node, the way to one of the targets, without a return."""
        far = [NEVER] * len(self.cost)

        def better(node):
            if node in targets:
                return 0
            ways = [far[other] for other in self.go[node] + self.calls[node]]
            ways += [1 + far[other] for other in self.takes[node]]
            if self.behind[node] is not None:
                through = min((out[callee] for callee in self.calls[node]), default=NEVER)
                ways.append(through + far[self.behind[node]])
            return self.cost[node] + min(ways, default=NEVER)

        relax(far, better)
        return far


def relax(values, better):
    changed = True
    while changed:
        changed = False
        # Ways lead to later nodes more often than to earlier ones.
        for node in reversed(range(len(values))):
            value = better(node)
            if value < values[node]:
                values[node] = value
                changed = True
