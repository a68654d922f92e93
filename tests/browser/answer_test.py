"""The first screen answers: usage: answer_test.py PROGRAM SOURCE.

In a window of 1440 x 900 the winner, its number, its execution, the runner-up and a picture stand above the fold, and
they are what `dfsweep show` says; the button names the theme that it leads to. Skipped where Chromium is missing.
"""
import html
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import browser
import pages

WIDTH, HEIGHT = 1440, 900
STUDIES = {  # sweep below sweeps/: the metric that decides
    "studies/train-70b": "train_days",                # tokens are given
    "studies/serve-70b": "cost_per_million_tokens",   # prices are given
    "studies/sram-dram": "step_time",
    "studies/dlrm": "step_time",
    "studies/speculative-decoding": "speculative_rate",  # two models
    "studies/joint": "time_to_target",                # a target loss is given
}
SEVERAL = ("studies/speculative-decoding", "studies/joint")
PROBE = """<script>{
  const box = each => { const { top, bottom, width } = each.getBoundingClientRect(); return { top, bottom, width, text: each.textContent }; };
  const all = query => [...document.querySelectorAll(query)].map(box);
  document.documentElement.dataset.probe = JSON.stringify({ title: all("#answer h2"), numbers: all("#answer .answer-number b"),
    execution: all("#answer .execution dd"), next: all("#answer .runner-up"), picture: all("#answer .answer-picture svg[role=img]"),
    theme: all("#theme"), notices: all("header .notice"), wide: document.documentElement.scrollWidth > innerWidth });
}</script></body>"""
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def probed(chromium, page, folder, *flags):
    """What stands where; the copy has no policy, which would forbid the probe."""
    copy = folder / f"probed-{page.name}"
    copy.write_text(POLICY.sub("", page.read_text()).replace("</body>", PROBE))
    done = subprocess.run([chromium, *browser.FLAGS, *flags, f"--window-size={WIDTH},{HEIGHT}", f"--user-data-dir={folder / 'profile'}",
                           "--virtual-time-budget=3000", "--dump-dom", copy.as_uri()], capture_output=True, text=True, timeout=120)
    return json.loads(html.unescape(re.search(r'data-probe="([^"]*)"', done.stdout)[1]))


def first_rows(program, run, metric):
    shown = subprocess.run([program, "show", run, "--best", metric, "--top", "2", "--columns", "all", "--json"],
                           capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)["answer"]["rows"]


def number(text):
    """ "28.80 d" and "401.3 kUSD" in units without a prefix."""
    value, unit = re.match(r"([\d.e-]+) ?(.*)", text).groups()
    prefix = {"k": 1e3, "M": 1e6, "m": 1e-3, "u": 1e-6}.get(unit[0] if len(unit) > 1 else "", 1)
    return float(value) * prefix


def problems_of(program, run, study, metric, seen):
    if seen["wide"]:
        yield "is wider than the window"
    if metric.replace("_", " ") not in seen["title"][0]["text"]:
        yield f"is about '{seen['title'][0]['text']}', not {metric}"
    for part in ("numbers", "execution", "next", "picture"):
        if not seen[part]:
            yield f"has no {part}"
        if any(each["bottom"] > HEIGHT or each["width"] == 0 for each in seen[part]):
            yield f"shows {part} below the fold: {[each['bottom'] for each in seen[part]]}"
    if study in SEVERAL:
        return
    winner, second = first_rows(program, run, metric)
    if abs(number(seen["numbers"][0]["text"]) / winner[metric] - 1) > 1e-3:
        yield f"says {seen['numbers'][0]['text']}, not {winner[metric]}"
    text = seen["next"][0]["text"]
    if abs(number(text.removeprefix("Runner-up ")) / second[metric] - 1) > 1e-3:
        yield f"says '{text}', not {second[metric]}"
    ratio = max(winner[metric], second[metric]) / min(winner[metric], second[metric])
    behind = "a tie" if ratio == 1 else "less than 0.1 % behind" if ratio < 1.001 else f"{100 * (ratio - 1):.1f} % behind"
    if behind not in text and "the expected error" not in text:
        yield f"says '{text}', not '{behind}'"
    chosen = {each["text"] for each in seen["execution"]}
    data = pages.data_of((run.parent / f"{run.name}.html").read_text())
    for axis in data["axes"]:
        value = winner[axis["name"]]
        if axis["kind"] == "label" and value is not None and str(value) not in chosen:
            yield f"does not say {axis['name']} {value}"


def main(program, source):
    chromium = browser.chromium()
    failures = 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for study, metric in STUDIES.items():
            run = folder / pathlib.Path(study).name
            page = folder / f"{run.name}.html"
            pages.call(program, "run", source / "sweeps" / f"{study}.toml", "--out", run, "--quiet")
            pages.call(program, "report", run, "-o", page, "--quiet")
            seen = probed(chromium, page, folder)
            found = list(problems_of(program, run, study, metric, seen))
            if seen["theme"][0]["text"] != "Dark theme":
                found.append(f"offers '{seen['theme'][0]['text']}' where the system is light")
            print(f"{study}: {'; '.join(found) if found else 'ok'}")
            failures += bool(found)
        dark = probed(chromium, page, folder, "--blink-settings=preferredColorScheme=0")["theme"][0]["text"]
        print(f"on a dark system the button says '{dark}'")
        failures += dark != "Light theme"
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
