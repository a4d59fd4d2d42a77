#!/usr/bin/env python3
"""The Debian packages: made by cpack, installed in a root in which only they are, and tried.

    packages.py CPACK CMAKE BUILD SOURCE PROGRAM GENERATOR LLVM_DIR

The root is a copy of the essential packages of this machine and of all that ours depend on, so
it needs no network. Compilers are not in it: the program of docs/frontend.md is built from
outside. Exits with 77 where that cannot be done.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SKIPPED = 77
CPACK, CMAKE, BUILD, SOURCE, PROGRAM, GENERATOR, LLVM_DIR = sys.argv[1:]
HERE = pathlib.Path(BUILD, "test/library/packages")
ROOT = HERE / "root"


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def run(*command, **more):
    done = subprocess.run([*map(str, command)], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, check=False, **more)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exits with {done.returncode}\n{done.stdout}")
    return done.stdout


def check(condition, message):
    if not condition:
        sys.exit(message)


def installed_packages():
    """What dpkg knows here: {name: (whole entry, names that it depends on)}, and virtual names."""
    packages, providers = {}, {}
    for entry in pathlib.Path("/var/lib/dpkg/status").read_text("utf-8").split("\n\n"):
        fields = dict(re.findall(r"^([\w-]+): *(.*)$", entry, re.M))
        if "Package" not in fields or not fields["Status"].endswith(" installed"):
            continue
        needs = ", ".join(fields.get(key, "") for key in ("Depends", "Pre-Depends"))
        packages[fields["Package"]] = (entry, needs, fields.get("Essential") == "yes")
        for name in re.findall(r"[\w.+-]+(?=[ ,]|$)", fields.get("Provides", "")):
            providers.setdefault(name, fields["Package"])
    return packages, providers


def closure(packages, providers, needs):
    """The installed packages that these dependencies need, and the essential ones."""
    found = set()
    todo = [name for name, (_, _, essential) in packages.items() if essential]
    while True:
        for group in filter(None, map(str.strip, needs.split(","))):
            choices = [re.split(r"[ :(]", choice.strip())[0] for choice in group.split("|")]
            names = [name if name in packages else providers.get(name) for name in choices]
            todo += [name for name in names if name][:1]
        todo = [name for name in todo if name not in found]
        if not todo:
            return found
        name = todo.pop()
        found.add(name)
        needs = packages[name][1]


def make_root(packages, names):
    for folder in ("usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "proc", "dev", "tmp", "etc",
                   "var/lib/dpkg/info", "var/lib/dpkg/updates"):
        (ROOT / folder).mkdir(parents=True)
    for folder in ("bin", "sbin", "lib", "lib64"):
        (ROOT / folder).symlink_to(f"usr/{folder}")
    files = set()
    for name in names:
        for path in run("dpkg-query", "-L", name).splitlines():
            # Documents, languages and headers take most of the time.
            if path.startswith("/") and os.path.lexists(path) and not re.match(
                    r"/usr/(share/(doc|man|locale|info)|include)/|/usr/lib/llvm-\d+/lib/\w+\.a$",
                    path) and (os.path.islink(path) or not os.path.isdir(path)):
                files.add(path[1:])
    archive = subprocess.Popen(["tar", "-C", "/", "--no-recursion", "-c", "-T", "-"],
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    unpack = subprocess.Popen(["tar", "-C", ROOT, "-x", "--keep-directory-symlink"],
                              stdin=archive.stdout)
    archive.stdin.write("\n".join(sorted(files)).encode())
    archive.stdin.close()
    check(archive.wait() == 0 and unpack.wait() == 0, "tar fails")
    if not (ROOT / "bin/sh").exists():
        (ROOT / "bin/sh").symlink_to("dash")
    (ROOT / "var/lib/dpkg/status").write_text(
        "\n\n".join(packages[name][0] for name in sorted(names)) + "\n", "utf-8")
    run("ldconfig", "-r", ROOT)


def inside(command):
    """The output of a command in the root."""
    return run("unshare", "-m", "sh", "-c", 'mount -t proc proc "$0/proc" && mount --bind /dev '
               '"$0/dev" && exec chroot "$0" env -i PATH=/usr/bin:/bin sh -c "$1"', ROOT, command)


def main():
    for program in ("dpkg", "dpkg-query", "dpkg-deb", "dpkg-shlibdeps", "ldconfig", "tar",
                    "unshare"):
        if not shutil.which(program):
            skip(f"there is no {program}")
    if os.geteuid():
        skip("only root can make a root")
    if subprocess.run(["unshare", "-m", "true"], check=False).returncode:
        skip("unshare -m is not allowed here")
    library = next(pathlib.Path(LLVM_DIR, "../..").resolve().glob("libLLVM.so.*"), None)
    if not library or subprocess.run(["dpkg", "-S", library.resolve()], check=False,
                                     capture_output=True).returncode:
        skip("LLVM is from no package, so dpkg-shlibdeps cannot name one")

    shutil.rmtree(HERE, ignore_errors=True)
    HERE.mkdir(parents=True)
    run(CPACK, "--config", f"{BUILD}/CPackConfig.cmake", "-B", HERE)
    debs = sorted(HERE.glob("*.deb"))
    names = [deb.name.partition("_")[0] for deb in debs]
    check(names == ["libunravel-dev", "unravel-plugin", "unravel-tools"], f"made: {debs}")
    needs = [run("dpkg-deb", "-f", deb, "Depends").strip() for deb in debs]
    for name, depends in zip(names[1:], needs[1:]):
        check("libllvm22 (>= 1:22.1)" in depends and "libc6" in depends,
              f"{name} depends on {depends}")

    packages, providers = installed_packages()
    make_root(packages, closure(packages, providers, ", ".join([*needs, "llvm-22"])))
    # dpkg refuses a package whose dependencies are not in the root.
    dpkg = ["dpkg", f"--root={ROOT}", f"--log={HERE}/dpkg.log"]
    run(*dpkg, "--install", *debs)

    # A tool of each kind, the plugin in opt, a manual page, a licence.
    inputs = ROOT / "tmp"
    shutil.copy(f"{SOURCE}/cuda_samples/ir/reshape3.ll", inputs)
    shutil.copy(f"{SOURCE}/test/ptx-simplify/Inputs/reshape.ptx", inputs)
    for command, expected in (
            ("index-map --version", "Unravel "),
            ("echo '(x) -> (x floordiv 8 * 8 + x mod 8), domain: x in [0, 99]' | index-map",
             r"\(x\) -> \(x\)"),
            ("ptx-simplify -v /tmp/reshape.ptx -o /tmp/out.ptx", "reshape: simplified"),
            ("ptx-compare /tmp/reshape3.ll", r"reshape3"),
            ("opt-22 -load-pass-plugin=/usr/lib/unravel/Unravel.so -passes=index-simplify -S "
             "/tmp/reshape3.ll | grep -c div || true", r"^\d+$"),
            ("kernel-run /tmp/reshape3.ll --kernel reshape3 --grid 235 --block 256 --args "
             "in:f32:60000,out:f32:60000 --load-pass-plugin /usr/lib/unravel/Unravel.so "
             "--passes 'function(index-simplify)'", ""),
            ("for t in access-report fusion-emit kernel-fuzz ptx-fuzz unravel-toolkit; do "
             "$t --help >/dev/null || echo $t fails; done; unravel-ptxas --unravel-help",
             r"\AOVERVIEW"),
            ("cat /usr/share/man/man1/ptx-simplify.1", r"\.SH NAME\nptx-simplify"),
            ("cat /usr/share/doc/unravel-tools/copyright", "Apache License v2.0"),
            ("cat /usr/share/doc/unravel-plugin/copyright /usr/share/doc/libunravel-dev/copyright",
             "Apache License v2.0")):
        output = inside(command)
        check(re.search(expected, output, re.M), f"{command} prints\n{output}")

    # The library, from outside.
    run(CMAKE, "-G", GENERATOR, "-S", PROGRAM, "-B", HERE / "program", f"-DLLVM_DIR={LLVM_DIR}",
        f"-DCMAKE_PREFIX_PATH={ROOT}/usr")
    run(CMAKE, "--build", HERE / "program")
    output = run(HERE / "program/my-compiler")
    check(output == pathlib.Path(PROGRAM, "program.txt").read_text("utf-8"), output)

    # Nothing stays.
    run(*dpkg, "--remove", *names)
    left = [path for path in ROOT.rglob("*nravel*") if "dpkg" not in str(path)]
    check(not left, f"left behind: {left}")
    shutil.rmtree(ROOT)
    print(f"{', '.join(deb.name for deb in debs)}: made, installed, used, removed")


main()
