"""The graph of a program's instructions, from what binutils say of it: objdump, nm, readelf.

It knows the code that GCC and Clang make of the programs of generate.py, and shares nothing with Heddle.
"""

import re
import subprocess

from shortest import Graph

HEADER = re.compile(r"^([0-9a-f]+) <(.+)>:$")
LINE = re.compile(r"^ *([0-9a-f]+):\t(.*?)\s*$")
PREFIXES = ("notrack ", "bnd ", "rep ", "repz ", "data16 ", "cs ", "addr32 ", "rex.W ")
NO_RETURN = ("abort", "_Unwind_Resume", "__cxa_begin_catch", "__stack_chk_fail", "__libc_start_main")
STOPS = ("hlt", "ud2")
KEPT = ("%rbx", "%rbp", "%r12", "%r13", "%r14", "%r15")  # by calls


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


class Instruction:
    def __init__(self, address, text):
        self.address = address
        self.text, _, comment = text.partition("#")
        self.text = self.text.strip()
        for prefix in PREFIXES * 3:
            self.text = self.text.removeprefix(prefix)
        self.word, _, self.operands = self.text.partition(" ")
        self.operands = self.operands.strip()
        found = re.match(r"\s*([0-9a-f]+) ?(<.*>)?", comment)
        self.refers = int(found[1], 16) if found else None  # what a rip-relative operand means
        self.target = None
        self.symbol = ""
        if found := re.match(r"([0-9a-f]+) <([^>]*)>$", self.operands):
            self.target, self.symbol = int(found[1], 16), found[2]
        self.indirect = self.operands.startswith("*")
        self.end = None
        self.function = ""

    @property
    def jumps(self):
        return self.word.startswith("j")

    @property
    def calls(self):
        return self.word == "call"


class Disassembly(Graph):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.functions = {}  # name: address
        self.code = []
        self.read_code()

    def connect_all(self):
        self.read_symbols()
        self.read_data()
        self.outside = self.node(returns=True)
        self.any = self.node()
        self.slot = {}
        self.at = {}  # address: node
        for instruction in self.code:
            self.at[instruction.address] = self.node(1)
        self.virtual_tables = [self.add_virtual_table(*symbol) for symbol in self.tables]
        self.jump_tables = {}
        count = None
        while count != len(self.jump_tables):  # one may lead to another
            count = len(self.jump_tables)
            self.find_earlier()
            for index, instruction in enumerate(self.code):
                if instruction.jumps and instruction.indirect and (table := self.jump_table(index, instruction)):
                    self.jump_tables[index] = table
        for index, instruction in enumerate(self.code):
            self.connect(index, instruction)
        taken = {address for node in self.takes for address in node if address in self.entries}
        taken |= {value for place, value in self.words.items() if value in self.entries and self.is_plain(place)}
        self.go[self.any] = [self.at[address] for address in sorted(taken)]
        self.takes = [[self.at.get(there, there) for there in node] for node in self.takes]

    # What binutils say.

    def read_code(self):
        function = ""
        for line in run("objdump", "-d", "-w", "--no-show-raw-insn", self.path).splitlines():
            if found := HEADER.match(line):
                function = found[2]
                if "@plt" not in function:
                    self.functions[function] = int(found[1], 16)
            elif (found := LINE.match(line)) and "@plt" not in function:
                instruction = Instruction(int(found[1], 16), found[2])
                instruction.function = function
                if self.code and self.code[-1].function == function:
                    self.code[-1].end = instruction.address
                self.code.append(instruction)
        self.entries = set(self.functions.values())

    def read_symbols(self):
        self.tables = []
        self.addresses = {}  # of functions, by all their names
        for line in run("nm", "-S", "--defined-only", self.path).splitlines():
            words = line.split()
            if len(words) != 4:
                continue
            address, size, kind, name = int(words[0], 16), int(words[1], 16), words[2], words[3]
            if name.startswith("_ZTV2C"):
                self.tables.append((address, size))
            if kind in "tTwW":
                self.addresses[name] = address

    def read_data(self):
        self.words = {}  # place: the address that stands there, once the program is loaded
        self.bytes = {}  # section: address, contents
        for line in run("readelf", "-W", "-S", self.path).splitlines():
            found = re.match(r"\s*\[ *\d+\] (\.\S+) +PROGBITS +([0-9a-f]+) ([0-9a-f]+) ([0-9a-f]+)", line)
            if not found or not re.match(r"\.(rodata|data)", found[1]):
                continue
            address, offset, size = (int(found[i], 16) for i in (2, 3, 4))
            with open(self.path, "rb") as file:
                file.seek(offset)
                self.bytes[found[1]] = (address, file.read(size))
        for line in run("readelf", "-W", "-r", self.path).splitlines():
            words = line.split()
            if len(words) == 4 and words[2] == "R_X86_64_RELATIVE":
                self.words[int(words[0], 16)] = int(words[3], 16)
            elif len(words) == 7 and words[2] in ("R_X86_64_64", "R_X86_64_GLOB_DAT"):
                self.words[int(words[0], 16)] = int(words[3], 16) + int(words[6], 16)
        for address, contents in self.bytes.values():
            for place in range(0, len(contents) - 7, 8):
                value = int.from_bytes(contents[place : place + 8], "little")
                if value in self.entries:
                    self.words.setdefault(address + place, value)

    def is_plain(self, place):
        """Whether a word is the program's own, outside of virtual tables."""
        in_table = any(begin <= place < begin + size for begin, size in self.tables)
        return not in_table and any(
            address <= place < address + len(contents) for address, contents in self.bytes.values()
        )

    def data(self, address, size):
        for begin, contents in self.bytes.values():
            if begin <= address < begin + len(contents):
                return contents[address - begin :][:size]
        return b""

    # The graph.

    def add_virtual_table(self, address, size):
        node = self.node()
        for slot in range((size - 16) // 8):
            function = self.words[address + 16 + 8 * slot]
            self.go[node].append(self.at[function])
            node_of_slot = self.slot.setdefault(slot, None)
            if node_of_slot is None:
                node_of_slot = self.slot[slot] = self.node()
            self.go[node_of_slot].append(self.at[function])
        return (address, address + size, node)

    def connect(self, index, instruction):
        node = self.at[instruction.address]
        following = None
        if instruction.end is not None and instruction.word not in STOPS:
            following = self.at[instruction.end]
        if instruction.word == "ret":
            self.returns[node] = True
        elif instruction.calls:
            self.behind[node] = following
            self.calls[node] = self.destinations(index, instruction)
        elif instruction.jumps:
            self.go[node] = self.destinations(index, instruction)
            if instruction.word != "jmp" and following is not None:
                self.go[node].append(following)
        elif following is not None:
            self.go[node] = [following]
            if instruction.function != "_start":
                self.takes[node] = self.taken(instruction)

    def taken(self, instruction):
        addresses = [instruction.refers] if instruction.word == "lea" else []
        if instruction.word == "mov" and instruction.refers in self.words:
            addresses.append(self.words[instruction.refers])  # that the linker has put there
        if instruction.word.startswith("mov"):
            addresses += [int(text, 16) for text in re.findall(r"\$0x([0-9a-f]+)", instruction.operands)]
        found = []
        for address in addresses:
            # Addresses of functions become nodes when all are known.
            if address in self.entries:
                found.append(address)
            found += [node for begin, end, node in self.virtual_tables if address and begin <= address < end]
        return found

    def destinations(self, index, instruction):
        if not instruction.indirect:
            name = instruction.symbol.removesuffix("@plt")
            if name in self.addresses:
                return [self.at[self.addresses[name]]]
            if name != instruction.symbol:
                return [] if name in NO_RETURN else [self.outside]
            return [self.at[instruction.target]] if instruction.target in self.at else [self.outside]
        if instruction.refers is not None:
            return [self.any]
        if table := self.jump_tables.get(index):
            return [self.at[target] for target in table]
        return [self.any if slot is None else self.slot[slot] for slot in self.slots(index, instruction)]

    def jump_table(self, index, instruction):
        """Where it leads; None if that is no jump table, or not known yet."""
        absolute = re.match(r"\*0x([0-9a-f]+)\(,%\w+,8\)", instruction.operands)
        adds = re.match(r"add +(%\w+),(%\w+)$", self.code[index - 1].text)
        if absolute:
            table = int(absolute[1], 16)
            if int.from_bytes(self.data(table, 8), "little") in self.entries:
                return None  # pointers to functions
        elif adds:
            places = self.definitions(index - 1, adds[1]) | self.definitions(index - 1, adds[2])
            leas = [place for place in places if place is not None and self.code[place].word == "lea"]
            if not leas:
                return None
            table = self.code[leas[0]].refers
        else:
            return None
        compares = self.nearest(
            index,
            lambda place: re.match(r"(cmp|sub)[lq]? +\$0x[0-9a-f]+,", self.code[place].text)
            and self.code[place + 1].word == "ja",
        )
        if not compares:
            return None
        bounds = {int(re.search(r"\$0x([0-9a-f]+)", self.code[place].text)[1], 16) for place in compares}
        targets = set()
        for number in range(max(bounds) + 1):
            if absolute:
                targets.add(int.from_bytes(self.data(table + 8 * number, 8), "little"))
            else:
                offset = int.from_bytes(self.data(table + 4 * number, 4), "little", signed=True)
                targets.add(table + offset)
        return sorted(targets)

    def find_earlier(self):
        """For each instruction, those of its function that come right before it."""
        index_at = {instruction.address: index for index, instruction in enumerate(self.code)}
        self.earlier = [[] for _ in self.code]
        for index, instruction in enumerate(self.code):
            ends = instruction.word in ("ret", "jmp", *STOPS) or instruction.symbol.removesuffix("@plt") in NO_RETURN
            following = [] if ends else [instruction.end]
            if instruction.jumps:
                following += self.jump_tables.get(index) or [instruction.target]
            for address in following:
                if address in index_at and self.code[index_at[address]].function == instruction.function:
                    self.earlier[index_at[address]].append(index)

    def slots(self, index, instruction):
        """Of calls as `mov (%rdi),%rax; call *0x8(%rax)`, perhaps with the slot in a register: a list, in which None
        is a call of another kind."""
        if not self.tables:
            return [None]
        if found := re.match(r"\*(0x[0-9a-f]+)?\((%\w+)\)$", instruction.operands):
            return list(self.slots_behind(index, found))
        register = instruction.operands.removeprefix("*")
        slots = set()
        for place in self.definitions(index, register):
            found = place is not None and re.match(r"mov +(0x[0-9a-f]+)?\((%\w+)\),", self.code[place].text)
            slots |= self.slots_behind(place, found) if found else {None}
        return list(slots)

    def slots_behind(self, index, found):
        offset = int(found[1] or "0", 16)
        pointers = self.pointers(index, found[2])
        return {None if pointer is None else (pointer + offset) // 8 for pointer in pointers}

    def pointers(self, index, register):
        """How far behind the start of a virtual table the register may point; None: not into one."""
        found = set()
        for place in self.definitions(index, register):
            text = "" if place is None else self.code[place].text
            if adds := re.match(r"add +\$0x([0-9a-f]+),", text):
                before = self.pointers(place, register)
                found |= {None if pointer is None else pointer + int(adds[1], 16) for pointer in before}
            else:
                found.add(0 if re.match(r"mov +\(%\w+\),", text) else None)
        return found

    def definitions(self, index, register):
        """The instructions that may have set the register; None is one of which nothing is known."""
        pattern = re.compile(rf"(mov\w*|lea|add) .*,{register}$")

        def ends(place):
            calls = self.code[place].calls and register not in KEPT
            return calls or self.code[place].address in self.entries or pattern.match(self.code[place].text)

        found = self.nearest(index, ends)
        return {place if pattern.match(self.code[place].text) else None for place in found}

    def nearest(self, index, ends):
        """The last instructions before this one, on all ways to it, at which the ways end."""
        found = set()
        seen = set()
        waiting = [index]
        while waiting:
            for place in set(self.earlier[waiting.pop()]) - seen:
                seen.add(place)
                if ends(place):
                    found.add(place)
                else:
                    waiting.append(place)
        return found
