"""What tests do with pages of access-report: Chromium runs their scripts."""
import html
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile


def lift_memory_limit():
    """Chromium reserves many times the memory that it uses; a limit on the
    programs under test must not be one on it."""
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def dump_dom(chromium, url):
    """The page as Chromium has it when its scripts have run."""
    # Under the sanitizers their runtime is preloaded into all that the tests
    # start; Chromium does not get through its own start with it.
    environment = {name: value for name, value in os.environ.items()
                   if name != "LD_PRELOAD"}
    with tempfile.TemporaryDirectory() as profile:
        done = subprocess.run(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", f"--user-data-dir={profile}",
             "--enable-logging=stderr", "--dump-dom", url],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=240,
            env={**environment, "HOME": profile}, check=False,
            preexec_fn=lift_memory_limit)
    messages = done.stderr.decode("utf-8", "replace")
    # A script that fails stops, and what it would have changed is missing.
    failures = [line for line in messages.splitlines()
                if "CONSOLE" in line and "Uncaught" in line]
    if done.returncode or failures:
        sys.exit("\n".join([f"chromium: exit status {done.returncode}", *failures]))
    return done.stdout.decode()


def parts_of(page):
    """The programs of a page, and the script that evaluates them."""
    text = pathlib.Path(page).read_text()
    programs = re.search(
        r'<script type="application/json" id="programs">(.*?)</script>', text, re.S)
    model = re.search(r"<script>([^<]*?const model = .*?)</script>", text, re.S)
    return json.loads(programs.group(1)), model.group(1)


def ask(chromium, model, data, script):
    """What `script` returns, a function body that sees `model` and `data`."""
    safe = json.dumps(data).replace("<", "\\u003c")
    page = f"""<!DOCTYPE html><meta charset="utf-8"><pre id="answer"></pre>
<script type="application/json" id="data">{safe}</script>
<script>{model}</script>
<script>
const data = JSON.parse(document.getElementById("data").textContent);
const answer = (() => {{ {script} }})();
document.getElementById("answer").textContent = JSON.stringify(answer,
  (key, value) => typeof value === "bigint" ? String(value) : value);
</script>"""
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False) as file:
        file.write(page)
    try:
        dom = dump_dom(chromium, f"file://{file.name}")
    finally:
        os.unlink(file.name)
    return json.loads(html.unescape(
        re.search(r'<pre id="answer">(.*?)</pre>', dom, re.S).group(1)))
