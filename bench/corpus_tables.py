"""The tables of corpus.py."""

import collections

from comparison import geometric_mean
from corpus_ptx import CLASSES, NO_DIVISION

SAVED = 0.95  # At most this ratio is a saving.
GROWN = 1.02  # More than this is a growth.
LONG_SECONDS = 0.05  # Shorter back ends are noise.
NAMES = {"whole": "as shipped", "off": "without second bodies",
         "fast": "bodies for ordinary launches"}


def measure_of(kernels):
    """The cost by loop depth, where ptx-compare has it."""
    has_loops = all("loop_cost" in kernel["sides"]["before"] for kernel in kernels)
    return "loop_cost" if has_loops else "cost"


def ratio(kernel, side, measure):
    """Of a side to clang alone; None if one of them lacks the figure. A zero
    counts as one."""
    figures = [kernel["sides"][each].get(measure) for each in (side, "before")]
    if None in figures:
        return None
    return max(figures[0], 1) / max(figures[1], 1)


def ratios(kernels, side, measure):
    found = (ratio(kernel, side, measure) for kernel in kernels)
    return [each for each in found if each is not None]


def missed_aims(kernels, options):
    """What is above the limits, with and without second bodies."""
    if not kernels:
        return []
    measure = measure_of(kernels)
    misses = []
    for side in ("off", "fast"):
        found = geometric_mean(ratios(kernels, side, measure))
        if found > options.mean_limit:
            misses.append(f"{NAMES[side]}: {found:.3f} times clang alone in geometric "
                          f"mean, at most {options.mean_limit:g}")
        grown = [kernel for kernel in kernels
                 if ratio(kernel, side, measure) > options.limit]
        if grown:
            worst = max(grown, key=lambda kernel: ratio(kernel, side, measure))
            misses.append(f"{NAMES[side]}: kernels above {options.limit:g} times clang "
                          f"alone: {len(grown)}, the worst {worst['name']} with "
                          f"{ratio(worst, side, measure):.2f}")
    return misses


def print_tables(results, options):
    kernels, files = results["kernels"], results["files"]
    failed = [file for file in files if file["error"]]
    print(f"{len(files)} files, {len(failed)} not measured; {len(kernels)} kernels, "
          f"{results['repeated']} repeated ones left out; {results['arch']}")
    if kernels:
        print_classes(kernels)
        print_growth(kernels)
        for side in ("fast", "off"):
            print_worst(kernels, side, options)
        print_missing(kernels)
        print_registers(kernels)
    print_compile_time(files, options)
    if failed:
        print("\nnot measured")
        for file in failed:
            print(f"  {file['file']}: {file['error']}")


# --- Classes ------------------------------------------------------------------


def mean(kernels, side, measure, share=False):
    """The geometric mean of the ratios, perhaps with the share of savings."""
    found = ratios(kernels, side, measure)
    if not found:
        return "-"
    text = f"{geometric_mean(found):.3f}"
    if share:
        saved = sum(each <= SAVED for each in found)
        text += f" ({100 * saved / len(found):.0f} %)"
    return text


def print_classes(kernels):
    by_loops = measure_of(kernels)
    divided = [each for each in kernels if each["class"] != NO_DIVISION]
    groups = [("all with division", divided)]
    groups += [(name, [each for each in kernels if each["class"] == name])
               for name in (*CLASSES, NO_DIVISION)]
    print(f"\nratios to clang alone, geometric means (share at <= {SAVED})")
    print(f"{'class':27}{'kernels':>8}{'changed':>8}{'2 bodies':>9}"
          f"{'SASS whole':>14}{'SASS off':>14}{'SASS fast':>14}{'cost fast':>10}"
          + (f"{'loop cost fast':>15}{'off':>7}{'innermost fast':>15}{'off':>7}"
             if by_loops == "loop_cost" else f"{'off':>7}"))
    for name, group in groups:
        if not group:
            continue
        line = (f"{name:27}{len(group):8}{sum(k['changed'] for k in group):8}"
                f"{sum(k['versioned'] for k in group):9}")
        for side in ("whole", "off", "fast"):
            line += f"{mean(group, side, 'sass', share=True):>14}"
        line += f"{mean(group, 'fast', 'cost'):>10}"
        if by_loops == "loop_cost":
            line += (f"{mean(group, 'fast', 'loop_cost'):>15}"
                     f"{mean(group, 'off', 'loop_cost'):>7}"
                     f"{mean(in_loops(group), 'fast', 'innermost_cost'):>15}"
                     f"{mean(in_loops(group), 'off', 'innermost_cost'):>7}")
        else:
            line += f"{mean(group, 'off', 'cost'):>7}"
        print(line)


def in_loops(kernels):
    return [kernel for kernel in kernels if kernel["loop"]]


# --- Growth -------------------------------------------------------------------


def print_growth(kernels):
    limits = (GROWN, 1.05, 1.1)
    measures = [each for each in ("loop_cost", "innermost_cost", "cost")
                if each in kernels[0]["sides"]["before"]]
    groups = (("changed, with loops", [k for k in in_loops(kernels) if k["changed"]]),
              (NO_DIVISION, [k for k in kernels if k["class"] == NO_DIVISION]),
              ("all", kernels))
    print(f"\n{'kernels that grew':44}{'kernels':>8}" + "".join(
        f"{side + ' > ' + str(limit):>13}" for side in ("off", "fast")
        for limit in limits))
    for measure in measures:
        for name, group in groups:
            if measure == "innermost_cost":
                group = in_loops(group)
            counts = [sum(each > limit for each in ratios(group, side, measure))
                      for side in ("off", "fast") for limit in limits]
            print(f"{measure.replace('_', ' ') + ', ' + name:44}{len(group):8}"
                  + "".join(f"{count:13}" for count in counts))


def print_worst(kernels, side, options):
    measure = measure_of(kernels)
    found = sorted(((ratio(kernel, side, measure), kernel) for kernel in kernels),
                   key=lambda each: -each[0])
    found = [each for each in found if each[0] > GROWN][:options.worst]
    if not found:
        return
    print(f"\nworst by {measure.replace('_', ' ')}, {NAMES[side]}")
    for value, kernel in found:
        sides = kernel["sides"]
        columns = [f"{label} {sides['before'][key]} -> {sides[side][key]}"
                   for key, label in ((measure, measure.replace("_", " ")),
                                      ("innermost_cost", "innermost"),
                                      ("registers", "registers"),
                                      ("warps", "warps"), ("sass", "SASS"))
                   if sides["before"].get(key) is not None
                   and sides[side].get(key) is not None]
        print(f"{value:7.2f}  {kernel['name']} ({kernel['file']}), "
              f"{kernel['class']}: " + ", ".join(columns))


# --- Facts, registers, time ---------------------------------------------------


def print_missing(kernels):
    counts = collections.Counter(fact for kernel in kernels
                                 for fact in kernel["missing"])
    if counts:
        print("\nmissing facts, in kernels")
        for fact, count in counts.most_common():
            print(f"{count:6}  {fact}")


def print_registers(kernels):
    sides = ("whole", "off", "fast")
    known = [kernel for kernel in kernels
             if kernel["sides"]["before"].get("registers") is not None]
    if not known:
        return

    def changes(side, measure):
        pairs = [(k["sides"]["before"].get(measure), k["sides"][side].get(measure))
                 for k in known]
        return [pair for pair in pairs if None not in pair]

    print(f"\nregisters, {len(known)} kernels{'':21}"
          + "".join(f"{side:>8}" for side in sides))
    rows = [("more than a tenth more", "registers", lambda b, a: a > 1.1 * b),
            ("more than a tenth fewer", "registers", lambda b, a: a < 0.9 * b),
            ("more bytes spilled", "spill_bytes", lambda b, a: a > b),
            ("occupancy lost", "warps", lambda b, a: a < b),
            ("occupancy gained", "warps", lambda b, a: a > b)]
    for name, measure, holds in rows:
        counts = [sum(holds(before, after) for before, after in changes(side, measure))
                  for side in sides]
        if any(changes(side, measure) for side in sides):
            print(f"{name:44}" + "".join(f"{count:8}" for count in counts))


def print_compile_time(files, options):
    timed = [file for file in files if "off" in file["seconds"] and not file["error"]]
    if not timed:
        return
    total = collections.Counter()
    for file in timed:
        total.update(file["seconds"])
    print(f"\ncompile time, {len(timed)} modules: front end "
          f"{total['front_end']:.2f} s, back end {total['before']:.2f} s, with the "
          f"plugin {total['whole']:.2f} s, without second bodies {total['off']:.2f} s")
    print(f"{'':27}{'mean':>7}{'> 1.1':>7}{'> 1.5':>7}{'> 2':>7}{'> 3':>7}"
          f"   (above {1000 * LONG_SECONDS:.0f} ms)")
    for side, name in (("whole", "with the plugin"), ("off", "without second bodies")):
        found = [file["seconds"][side] / max(file["seconds"]["before"], 1e-3)
                 for file in timed]
        long = [each for each, file in zip(found, timed)
                if file["seconds"][side] > LONG_SECONDS]
        print(f"{name:27}{geometric_mean(found):7.2f}" + "".join(
            f"{sum(each > limit for each in long):7}" for limit in (1.1, 1.5, 2, 3)))

    def growth(file):
        return file["seconds"]["whole"] / max(file["seconds"]["before"], 1e-3)

    for file in sorted(timed, key=growth, reverse=True)[:options.worst]:
        if growth(file) > 1.5 and file["seconds"]["whole"] > LONG_SECONDS:
            print(f"{growth(file):7.2f}  {file['file']}: "
                  f"{file['seconds']['before']:.2f} s -> "
                  f"{file['seconds']['whole']:.2f} s")
