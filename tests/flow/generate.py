"""Random programs whose control flow is known: as source, in C or C++, and as a graph.

Every statement that can be told from others is the call of a function of another module: m7() is a mark, c7() a
condition. So in the unit of calls the graph is that of the program built with -O0.
"""

import random

from shortest import Graph

SLOTS = 3  # of virtual functions in each class
ENOUGH = 60  # marks: from there on, statements are small


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.cxx = self.random.random() < 0.5
        self.functions = self.random.randint(3, 6)
        self.marks = 0
        self.conditions = 0
        self.table = self.random.sample(range(self.functions), 2)
        # Classes C1, C2 … derive from C0; each overrides some of its functions.
        self.class_count = self.random.randint(2, 3) if self.cxx else 0
        self.classes = []
        for number in range(self.class_count):
            own = [slot for slot in range(SLOTS) if number == 0 or self.random.random() < 0.5]
            self.classes.append({slot: self.block(2) for slot in own})
        self.bodies = [self.block(4) for _ in range(self.functions)]

    # Making it: statements are tuples, blocks are lists of them.

    def mark(self):
        self.marks += 1
        return ("mark", self.marks - 1)

    def condition(self):
        self.conditions += 1
        return self.conditions - 1

    def block(self, depth, in_loop=False):
        length = self.random.randint(1, 4)
        return [self.mark()] + [self.statement(depth, in_loop) for _ in range(length)]

    def statement(self, depth, in_loop):
        kinds = ["mark"] * 3 + ["call"] * 2 + ["pointer", "take", "table"]
        if self.cxx:
            kinds += ["virtual"] * 2 + ["new"]
        if depth > 0 and self.marks < ENOUGH:
            kinds += ["if", "else", "leave", "while", "do"] * 2 + ["switch"] * 2
        kind = self.random.choice(kinds)
        deeper = depth - 1
        if kind == "mark":
            return self.mark()
        if kind in ("call", "take"):
            return (kind, self.random.randrange(self.functions))
        if kind == "pointer":
            return (kind,)
        if kind == "table":
            return (kind, self.condition())
        if kind == "virtual":
            return (kind, self.random.randrange(SLOTS))
        if kind == "new":
            return (kind, self.random.randrange(self.class_count))
        if kind == "if":
            return ("if", self.condition(), self.block(deeper, in_loop), [])
        if kind == "else":
            return ("if", self.condition(), self.block(deeper, in_loop), self.block(deeper, in_loop))
        if kind == "leave":
            ways = ["return", "abort"] + (["break", "continue"] * 2 if in_loop else [])
            return ("if", self.condition(), [self.mark(), (self.random.choice(ways),)], [])
        if kind in ("while", "do"):
            return (kind, self.condition(), self.block(deeper, True))
        count = self.random.randint(3, 9)
        cases = [(self.block(0), self.random.random() < 0.8) for _ in range(count)]
        return ("switch", self.condition(), cases)

    # As source.

    def source(self):
        visible = '__attribute__((visibility("hidden")))'
        empty = "" if self.cxx else "void"
        lines = ["#include <stdlib.h>"]
        if self.cxx:
            lines += self.declare_classes()
            lines.append('extern "C" {')
        lines += [f"void m{i}({empty});" for i in range(self.marks)]
        lines += [f"int c{i}({empty});" for i in range(self.conditions)]
        lines += [f"{visible} void f{i}({empty});" for i in range(self.functions)]
        if self.cxx:
            lines += ["C0* object();", "void keep(C0*);"]
        lines.append(f"{'extern ' * self.cxx}void (*pointer)({empty});")
        rows = ", ".join(f"f{i}" for i in self.table)
        if self.cxx:
            lines += ["}", f"{visible} extern void (*const table[])();", "void (*pointer)();"]
        lines.append(f"{visible} void (*const table[])({empty}) = {{{rows}}};")
        for number, own in enumerate(self.classes):
            lines.append(f"C{number}::C{number}() {{}}")
            for slot, body in own.items():
                lines += [f"void C{number}::v{slot}() {{", *self.text(body, 1), "}"]
        for number, body in enumerate(self.bodies):
            lines += [f"void f{number}({empty}) {{", *self.text(body, 1), "}"]
        lines += [f"int main({empty}) {{ f0(); return 0; }}", ""]
        return "\n".join(lines)

    def declare_classes(self):
        for number, own in enumerate(self.classes):
            base = " : C0" if number else ""
            members = [f"C{number}();"] + [f"virtual void v{slot}();" for slot in own]
            yield f"struct C{number}{base} {{ {' '.join(members)} }};"

    def text(self, block, depth):
        lines = []
        for statement in block:
            lines += ["  " * depth + line for line in self.lines(statement)]
        return lines

    def lines(self, statement):
        kind, *rest = statement
        if kind == "mark":
            return [f"m{rest[0]}();"]
        if kind == "call":
            return [f"f{rest[0]}();"]
        if kind == "take":
            return [f"pointer = f{rest[0]};"]
        if kind == "pointer":
            return ["pointer();"]
        if kind == "table":
            return [f"table[c{rest[0]}()]();"]
        if kind == "virtual":
            return [f"object()->v{rest[0]}();"]
        if kind == "new":
            return [f"keep(new C{rest[0]});"]
        if kind == "if":
            condition, then, other = rest
            lines = [f"if (c{condition}()) {{", *self.text(then, 1), "}"]
            return lines + (["else {", *self.text(other, 1), "}"] if other else [])
        if kind == "while":
            return [f"while (c{rest[0]}()) {{", *self.text(rest[1], 1), "}"]
        if kind == "do":
            return ["do {", *self.text(rest[1], 1), f"}} while (c{rest[0]}());"]
        if kind == "switch":
            lines = [f"switch (c{rest[0]}()) {{"]
            for number, (body, ends) in enumerate(rest[1]):
                lines += [f"  case {number}:", *self.text(body, 2)] + ["    break;"] * ends
            return lines + ["}"]
        return [{"abort": "abort();"}.get(kind, f"{kind};")]

    # As a graph.

    def graph(self):
        return SourceGraph(self)


class SourceGraph(Graph):
    """With `mark` and `behind_mark` (lists, by number) and `entry` (by the linker's name) as nodes."""

    def __init__(self, program):
        super().__init__()
        self.mark = [None] * program.marks
        self.behind_mark = [None] * program.marks
        self.outside = self.node(returns=True)
        self.entry = {f"f{i}": self.node() for i in range(program.functions)}
        self.any = self.node()
        self.tables = []  # a node for each virtual table
        self.constructors = []
        self.slots = [self.node() for _ in range(SLOTS)]
        for number, own in enumerate(program.classes):
            for slot in own:
                self.entry[f"_ZN2C{number}2v{slot}Ev"] = self.node()
            self.add_class(number, program.classes)
        for number, own in enumerate(program.classes):
            for slot, body in own.items():
                self.add_body(f"_ZN2C{number}2v{slot}Ev", body)
        for number, body in enumerate(program.bodies):
            self.add_body(f"f{number}", body)
        taken = set(program.table)
        for body in [*program.bodies, *(b for own in program.classes for b in own.values())]:
            taken |= set(functions_taken(body))
        self.go[self.any] = [self.entry[f"f{i}"] for i in sorted(taken)]
        self.entry["main"] = self.call([self.entry["f0"]], self.node(returns=True))

    def add_class(self, number, classes):
        table = self.node()
        for slot in range(SLOTS):
            owner = number if slot in classes[number] else 0
            function = self.entry[f"_ZN2C{owner}2v{slot}Ev"]
            self.go[table].append(function)
            self.go[self.slots[slot]].append(function)
        self.tables.append(table)
        # The constructor has the base's run, and then stores the table's address.
        takes = self.node()
        self.takes[takes].append(table)
        self.go[takes].append(self.node(returns=True))
        self.constructors.append(takes if number == 0 else self.call([self.constructors[0]], takes))

    def call(self, callees, after):
        node = self.node(1)
        self.calls[node] = callees
        self.behind[node] = after
        return node

    def step(self, after):
        """The call of a function of another module."""
        return self.call([self.outside], after)

    def add_body(self, name, body):
        end = self.node(returns=True)
        ways = {"return": end}
        self.go[self.entry[name]].append(self.block(body, end, ways))

    def block(self, statements, after, ways):
        for statement in reversed(statements):
            after = self.statement(statement, after, ways)
        return after

    def statement(self, statement, after, ways):
        kind, *rest = statement
        if kind == "mark":
            node = self.step(after)
            self.mark[rest[0]] = node
            self.behind_mark[rest[0]] = after
            return node
        if kind == "call":
            return self.call([self.entry[f"f{rest[0]}"]], after)
        if kind == "take":
            node = self.node()
            self.go[node].append(after)
            self.takes[node].append(self.entry[f"f{rest[0]}"])
            return node
        if kind == "pointer":
            return self.call([self.any], after)
        if kind == "table":
            return self.step(self.call([self.any], after))
        if kind == "virtual":
            return self.step(self.call([self.slots[rest[0]]], after))
        if kind == "new":
            return self.step(self.call([self.constructors[rest[0]]], self.step(after)))
        if kind == "abort":
            return self.node(1)
        if kind in ways:
            return ways[kind]
        return self.compound(kind, rest, after, ways)

    def compound(self, kind, rest, after, ways):
        choice = self.node()
        condition = self.step(choice)
        if kind == "if":
            self.go[choice] = [self.block(rest[1], after, ways), self.block(rest[2], after, ways)]
            return condition
        if kind in ("while", "do"):
            inner = {**ways, "break": after, "continue": condition}
            body = self.block(rest[1], condition, inner)
            self.go[choice] = [body, after]
            return condition if kind == "while" else body
        self.go[choice] = [after]
        following = after
        for body, ends in reversed(rest[1]):
            following = self.block(body, after if ends else following, {**ways, "break": after})
            self.go[choice].append(following)
        return condition


def functions_taken(block):
    for statement in block:
        if statement[0] == "take":
            yield statement[1]
        for part in statement[1:]:
            if isinstance(part, list):
                for inner in part:
                    yield from functions_taken([inner] if isinstance(inner[0], str) else inner[0])
