"""Hostile modules with control flow: guards, assumptions, joins, loops. See shapes.py."""

from shapes import module, shape, store


@shape(10000)
def nested_guards(n):
    lines = ["  br label %b0"]
    for i in range(n):
        lines += [
            f"b{i}:",
            f"  %c{i} = icmp ult i32 %t, {2 * n - i}",
            f"  br i1 %c{i}, label %b{i+1}, label %end",
        ]
    return module(lines + [f"b{n}:"] + store("%t") + ["  br label %end", "end:", "  ret void"])


@shape(10000)
def guards_with_access(n):
    lines = ["  br label %b0"]
    for i in range(n):
        lines += [
            f"b{i}:",
            f"  %l{i} = load i32, ptr %in",
            f"  %c{i} = icmp slt i32 %l{i}, {i + 5}",
            f"  br i1 %c{i}, label %g{i}, label %end",
            f"g{i}:",
            f"  %q{i} = udiv i32 %t, {i % 90 + 2}",
            f"  %x{i} = add i32 %q{i}, %l{i}",
        ]
        lines += store(f"%x{i}", f"s{i}") + [f"  br label %b{i+1}"]
    return module(lines + [f"b{n}:", "  br label %end", "end:", "  ret void"])


@shape(10000)
def relational_guards(n):
    lines = ["  br label %b0"]
    for i in range(n):
        lines += [
            f"b{i}:",
            f"  %l{i} = load i32, ptr %in",
            f"  %c{i} = icmp slt i32 %{'t' if i == 0 else f'l{i-1}'}, %l{i}",
            f"  br i1 %c{i}, label %b{i+1}, label %end",
        ]
    return module(
        lines + [f"b{n}:"] + store(f"%l{n-1}", "z") + store("%t")
        + ["  br label %end", "end:", "  ret void"])


@shape(3000)
def guards_of_a_chain(n):
    """Guard i compares the sum of all values before it."""
    lines = ["  %x0 = add i32 %t, 1"]
    for i in range(n):
        lines.append(f"  %x{i+1} = add i32 %x{i}, %{'abct'[i % 4]}")
    lines.append("  br label %b0")
    for i in range(n):
        lines += [
            f"b{i}:",
            f"  %c{i} = icmp slt i32 %x{n}, {2 * n - i}",
            f"  br i1 %c{i}, label %b{i+1}, label %end",
        ]
    return module(lines + [f"b{n}:"] + store(f"%x{n}") + ["  br label %end", "end:", "  ret void"])


@shape(10000)
def side_guards(n):
    """Blocks with a guard each, one behind the other, none inside another."""
    lines = ["  br label %b0"]
    for i in range(n):
        lines += [
            f"b{i}:",
            f"  %c{i} = icmp ult i32 %t, {i + 2}",
            f"  br i1 %c{i}, label %g{i}, label %b{i+1}",
            f"g{i}:",
            f"  %r{i} = urem i32 %t, {i + 2}",
        ]
        lines += store(f"%r{i}", f"s{i}") + [f"  br label %b{i+1}"]
    return module(lines + [f"b{n}:", "  ret void"])


@shape(10000)
def assumptions(n):
    lines = []
    for i in range(n):
        lines += [
            f"  %c{i} = icmp ult i32 %{'abtc'[i % 4]}, {2 * n - i}",
            f"  call void @llvm.assume(i1 %c{i})",
        ]
    return module(lines + store("%a") + ["  ret void"])


@shape(5000)
def assumptions_behind_calls(n):
    """Each holds only in the blocks behind, of which there are many."""
    lines = ["  call void @stop()"]
    for i in range(n):
        lines += [
            f"  %c{i} = icmp ult i32 %{'abtc'[i % 4]}, {2 * n - i}",
            f"  call void @llvm.assume(i1 %c{i})",
        ]
    lines.append("  switch i32 %a, label %end [")
    lines += [f"    i32 {i}, label %b{i}" for i in range(n)] + ["  ]"]
    for i in range(n):
        lines += [f"b{i}:"] + store("%b", f"s{i}") + ["  br label %end"]
    return module(lines + ["end:", "  ret void"])


@shape(5000)
def switch_cases(n):
    lines = ["  switch i32 %a, label %end ["]
    lines += [f"    i32 {i * 3}, label %b{i}" for i in range(n)] + ["  ]"]
    for i in range(n):
        lines += [f"b{i}:", f"  %x{i} = mul i32 %a, {i}"]
        lines += store(f"%x{i}", f"s{i}") + ["  br label %end"]
    phi = ", ".join(["[ 0, %entry ]"] + [f"[ %x{i}, %b{i} ]" for i in range(n)])
    return module(
        lines + ["end:", f"  %x = phi i32 {phi}"] + store("%x") + ["  ret void"])


@shape(1000)
def phis_of_many(n):
    """n phis with n incoming values each would be n^2: 20 phis here."""
    lines = ["  switch i32 %a, label %b0 ["]
    lines += [f"    i32 {i}, label %b{i}" for i in range(1, n)] + ["  ]"]
    for i in range(n):
        lines += [f"b{i}:", f"  %x{i} = udiv i32 %b, {i + 2}", "  br label %end"]
    lines.append("end:")
    phi = ", ".join(f"[ %x{i}, %b{i} ]" for i in range(n))
    lines += [f"  %p{k} = phi i32 {phi}" for k in range(20)]
    for k in range(20):
        lines += store(f"%p{k}", f"s{k}")
    return module(lines + ["  ret void"])


@shape(5000)
def diamonds(n):
    lines = ["  br label %h0"]
    for i in range(n):
        before = "%t" if i == 0 else f"%x{i-1}"
        lines += [
            f"h{i}:" if i == 0 else f"h{i}:\n  %x{i-1} = phi i32 [ %u{i-1}, %l{i-1} ], [ %v{i-1}, %r{i-1} ]",
            f"  %c{i} = icmp ult i32 {before}, {i + 1}",
            f"  br i1 %c{i}, label %l{i}, label %r{i}",
            f"l{i}:",
            f"  %u{i} = add i32 {before}, {i}",
            f"  br label %h{i+1}",
            f"r{i}:",
            f"  %v{i} = sub i32 {before}, %a",
            f"  br label %h{i+1}",
        ]
    lines += [f"h{n}:", f"  %x{n-1} = phi i32 [ %u{n-1}, %l{n-1} ], [ %v{n-1}, %r{n-1} ]"]
    return module(lines + store(f"%x{n-1}") + ["  ret void"])


@shape(2000)
def sequential_loops(n):
    lines = ["  br label %h0"]
    for i in range(n):
        before = "%entry" if i == 0 else f"%e{i-1}"
        lines += [
            f"h{i}:",
            f"  %i{i} = phi i32 [ 0, {before} ], [ %n{i}, %h{i} ]",
            f"  %m{i} = mul i32 %i{i}, 33",
            f"  %q{i} = udiv i32 %m{i}, 7",
        ]
        lines += store(f"%q{i}", f"s{i}") + [
            f"  %n{i} = add nuw nsw i32 %i{i}, 1",
            f"  %c{i} = icmp ult i32 %n{i}, 100",
            f"  br i1 %c{i}, label %h{i}, label %e{i}",
            f"e{i}:",
            f"  br label %h{i+1}",
        ]
    return module(lines + [f"h{n}:", "  ret void"])


@shape(200)
def nested_loops(n):
    lines = ["  br label %h0"]
    for i in range(n):
        before = "%entry" if i == 0 else f"%h{i-1}"
        lines += [
            f"h{i}:",
            f"  %i{i} = phi i32 [ 0, {before} ], [ %n{i}, %l{i} ]",
            f"  br label %{f'h{i+1}' if i + 1 < n else 'body'}",
        ]
    lines += ["body:", "  %x0 = add i32 %t, 0"]
    for i in range(n):
        lines.append(f"  %x{i+1} = add i32 %x{i}, %i{i}")
    lines.append(f"  %q = udiv i32 %x{n}, 3")
    lines += store("%q") + [f"  br label %l{n-1}"]
    for i in reversed(range(n)):
        lines += [
            f"l{i}:",
            f"  %n{i} = add nuw nsw i32 %i{i}, 1",
            f"  %c{i} = icmp ult i32 %n{i}, {i % 9 + 2}",
            f"  br i1 %c{i}, label %h{i}, label %{f'l{i-1}' if i else 'end'}",
        ]
    return module(lines + ["end:", "  ret void"])


@shape(2000)
def irreducible(n):
    """Rings of two blocks that are entered at both."""
    lines = ["  br label %e0"]
    for i in range(n):
        lines += [
            f"e{i}:",
            f"  %c{i} = icmp ult i32 %t, {i + 1}",
            f"  br i1 %c{i}, label %u{i}, label %v{i}",
            f"u{i}:",
            f"  %x{i} = phi i32 [ %a, %e{i} ], [ %y{i}, %v{i} ]",
            f"  %z{i} = udiv i32 %x{i}, 5",
        ]
        lines += store(f"%z{i}", f"s{i}") + [
            f"  br label %v{i}",
            f"v{i}:",
            f"  %y{i} = phi i32 [ %b, %e{i} ], [ %z{i}, %u{i} ]",
            f"  %d{i} = icmp ult i32 %y{i}, %c",
            f"  br i1 %d{i}, label %u{i}, label %e{i+1}",
        ]
    return module(lines + [f"e{n}:", "  ret void"])


@shape(10000)
def unreachable(n):
    """A dead ring of instructions that use themselves and each other."""
    lines = store("%t") + ["  ret void", "dead:"]
    for i in range(n):
        lines += [
            f"  %x{i} = add i32 %x{(i + 1) % n}, %x{i}",
            f"  %p{i} = getelementptr i32, ptr %p{(i + 7) % n}, i32 %x{i}",
            f"  store i32 %x{i}, ptr %p{i}",
        ]
    return module(lines + ["  br label %dead"])


@shape(10000)
def condition_chain(n):
    """One guard that is a conjunction of n comparisons."""
    lines = ["  %g0 = icmp ult i32 %t, 77"]
    for i in range(n):
        lines += [
            f"  %c{i} = icmp ult i32 %{'abct'[i % 4]}, {2 * n - i}",
            f"  %g{i+1} = and i1 %g{i}, %c{i}",
        ]
    lines += [f"  br i1 %g{n}, label %then, label %end", "then:"]
    return module(lines + store("%a") + ["  br label %end", "end:", "  ret void"])


@shape(1000)
def induction_variables(n):
    """All of one loop, each counting in its own steps."""
    lines = ["  br label %loop", "loop:"]
    lines += [f"  %i{k} = phi i32 [ {k}, %entry ], [ %n{k}, %loop ]" for k in range(n)]
    for k in range(n):
        lines.append(f"  %q{k} = udiv i32 %i{k}, {k + 2}")
        lines += store(f"%q{k}", f"s{k}")
        lines.append(f"  %n{k} = add nuw nsw i32 %i{k}, {k + 1}")
    lines += ["  %more = icmp ult i32 %n0, 100", "  br i1 %more, label %loop, label %end"]
    return module(lines + ["end:", "  ret void"])
