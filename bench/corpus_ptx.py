"""What corpus.py reads from PTX, cubins and optimization records."""

import functools
import re
import struct

# --- Classes of kernels -------------------------------------------------------

# In this order: a kernel belongs to the first class that fits.
CLASSES = ("64-bit", "strides in structs", "grid-stride", "2-D and 3-D grids",
           "one index, no stride")
NO_DIVISION = "no thread-derived division"

INSTRUCTION = re.compile(
    r"^\s*(?:@!?%\w+\s+)?([a-z][\w.:]*)\s+([^;{}]*(?:\{[^;{}]*\}[^;{}]*)*);", re.M)
REGISTER = re.compile(r"%[a-z]\w*(?:\.[xyz])?")
DIVISION = re.compile(r"(?:div|rem|mul\.hi|mad\.hi)\.[su](\d+)$")
SOURCES = ("tid", "ctaid", "ntid", "nctaid")


def class_of(kernel):
    """The class of the PTX text of a kernel that clang made alone.

    Thread-derived is what data flow leads to from %tid and %ctaid, but not
    through memory; a division by a constant is a mul.hi.
    """
    instructions = [(opcode, *registers_of(operands))
                    for opcode, operands in INSTRUCTION.findall(kernel)]
    origins = origins_of(instructions)
    divided = [int(match[1]) for opcode, _, sources in instructions
               if (match := DIVISION.match(opcode))
               and any(is_of_thread(origins, source) for source in sources)]
    if not divided:
        return NO_DIVISION
    if 64 in divided:
        return CLASSES[0]
    if re.search(r"\.param \.align \d+ \.b8 ", kernel.split("{")[0]):
        return CLASSES[1]
    if has_grid_stride(instructions, origins):
        return CLASSES[2]
    if re.search(r"%n?(?:tid|ctaid)\.[yz]", kernel):
        return CLASSES[3]
    return CLASSES[4]


def registers_of(operands):
    """(the registers that an instruction writes, those that it reads)"""
    vector = re.match(r"\s*\{([^}]*)\}\s*,?(.*)", operands, re.S)
    written, _, read = operands.partition(",")
    if vector:
        written, read = vector[1], vector[2]
    return REGISTER.findall(written), REGISTER.findall(read)


def origins_of(instructions):
    """{register: the special registers that it is computed from}"""
    origins = {}
    changed = True
    while changed:
        changed = False
        for opcode, written, read in instructions:
            if opcode.startswith(("ld", "st", "atom", "red", "setp", "bra")):
                continue
            found = set().union(*(of_register(origins, each) for each in read))
            for register in written:
                known = origins.setdefault(register, set())
                if not found <= known:
                    known |= found
                    changed = True
    return origins


def of_register(origins, register):
    special = register[1:].split(".")[0]
    return {special} if special in SOURCES else origins.get(register, set())


def is_of_thread(origins, register):
    return bool(of_register(origins, register) & {"tid", "ctaid"})


def has_grid_stride(instructions, origins):
    """Is the size of the grid in threads added to an index?"""
    for opcode, _, read in instructions:
        if opcode.startswith(("add", "mad")):
            kinds = [of_register(origins, each) for each in read]
            if {"ntid", "nctaid"} in kinds and any(
                    kind & {"tid", "ctaid"} for kind in kinds):
                return True
            # mad: the step is computed by the addition itself.
            if opcode.startswith("mad") and len(kinds) == 3 and \
                    kinds[0] | kinds[1] == {"ntid", "nctaid"} and \
                    kinds[2] & {"tid", "ctaid"}:
                return True
    return False


def has_loop(kernel):
    """Is there a branch back?"""
    seen = set()
    for label, target in re.findall(r"^(\$?\w+):|\bbra(?:\.uni)?\s+(\$?\w+);", kernel,
                                    re.M):
        if label:
            seen.add(label)
        elif target in seen:
            return True
    return False


def code_of(kernel):
    """The text without comments and the kernel's number in labels, to tell whether
    two versions differ."""
    return re.sub(r"\$L__BB\d+", "$L__BB", re.sub(r"\s*//.*", "", kernel))


# --- SASS ---------------------------------------------------------------------

# The low 12 bits of the 16 bytes of an instruction, since sm_70.
OPCODE_MASK, NOP, BRANCH, BYTES = 0xfff, 0x918, 0x947, 16


def sass_instructions(cubin):
    """{kernel: instructions} of an ELF file, without the padding behind the last
    one: a branch to itself and NOPs."""
    header = struct.unpack_from("<16sHHIQQQIHHHHHH", cubin)
    sections = [struct.unpack_from("<IIQQQQIIQQ", cubin, header[6] + k * header[11])
                for k in range(header[12])]
    names = sections[header[13]][4]
    counts = {}
    for section in sections:
        start = names + section[0]
        name = cubin[start:cubin.index(b"\0", start)].decode()
        if name.startswith(".text."):
            code = cubin[section[4]:section[4] + section[5]]
            counts[name[len(".text."):]] = without_padding(code) // BYTES
    return counts


def without_padding(code):
    """The size of the code in bytes without its padding."""
    size = len(code)

    def ends_with(opcode):
        return size >= BYTES and OPCODE_MASK & int.from_bytes(
            code[size - BYTES:size - BYTES + 2], "little") == opcode

    while ends_with(NOP):
        size -= BYTES
    if ends_with(BRANCH):
        size -= BYTES
    return size


# --- Missing facts ------------------------------------------------------------

KINDS = (
    ("the thread index fits 31 bits", r"gridDim|blockIdx"),
    ("a product of sizes fits", r"\*"),
    ("a size is positive", r"> 0|^1 <="),
    ("a value is not negative", r">= 0|^0 <="),
)


def missing_facts(record):
    """{function: kinds of facts that its divisions miss} of the text of an
    optimization record."""
    found = {}
    for remark in record.split("--- !")[1:]:
        field = functools.partial(field_of, remark)
        if not remark.startswith("Missed"):
            continue
        facts = found.setdefault(field("Function"), set())
        if field("Name") == "MayWrap":
            facts.add("an index does not wrap")
        elif field("Name") == "UnknownSign":
            facts.add("the sign of a value of one thread")
        elif field("Name") == "MissingFact":
            facts.add(kind_of(field("Fact")))
    return {name: sorted(facts) for name, facts in found.items()}


def field_of(remark, name):
    match = re.search(rf"^(?:  - )?{name}:\s*(?:'((?:[^']|'')*)'|(.*))$", remark, re.M)
    return (match[1] or match[2] or "") if match else ""


def kind_of(fact):
    of_struct = "[byte" in fact or "." in fact.replace("gridDim.", "")
    for kind, pattern in KINDS:
        if re.search(pattern, fact):
            return kind + (", of a struct's field" if of_struct
                           and kind == KINDS[2][0] else "")
    return "other"
