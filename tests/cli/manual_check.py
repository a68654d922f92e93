"""Manual pages and completions say what --help says, and shells take them. Usage: manual_check.py PROGRAM.

Needs mandoc, zsh or fish for some of its checks, and says which were skipped.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def run(*command, **more):
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, **more).stdout


def commands_of(program):
    text = run(program, "--help")
    return re.findall(r"^  (\w+) ", text[text.index("Commands:"):text.index("Options:")], re.M)


def options_of(program, command):
    text = run(program, command, "--help")
    return sorted(set(re.findall(r"(?<=[ ,])--[a-z][a-z-]*", text[text.index("Options:"):text.index("Examples:")])))


class Bash:
    """Runs the completion function as bash does when somebody presses Tab after these words."""

    SCRIPT = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dfsweep; ' \
             '((${#COMPREPLY[@]})) && printf "%s\\n" "${COMPREPLY[@]}"; true'

    def __init__(self, folder):
        self.script, self.folder = folder / "share/bash-completion/completions/dfsweep", folder

    def offers(self, *words):
        return sorted(run("bash", "-c", self.SCRIPT, "bash", self.script, "dfsweep", *words, cwd=self.folder).split())


def check_bash(program, folder):
    bash = Bash(folder)
    commands = commands_of(program)
    assert set(commands) <= set(bash.offers("")), bash.offers("")
    assert bash.offers("pl") == ["plan"] and bash.offers("help", "ver") == ["verify"]
    for command in commands:
        offered = [word for word in bash.offers(command, "--") if word.startswith("--")]
        assert sorted(set(offered)) == options_of(program, command), (command, offered)
    (folder / "study.toml").touch()
    (folder / "runs").mkdir()
    for words, offered in [(("show", "--color", ""), ["always", "auto", "never"]),
                           (("describe", "data"), ["dataflow"]),
                           (("run", "stu"), ["study.toml"]),
                           (("run", "study.toml", "--out", "ru"), ["runs"]),
                           (("status", "ru"), ["runs"]), (("status", "stu"), []),
                           (("run", "--threads", ""), []),
                           (("fit", "ste"), ["steplaw"])]:
        assert bash.offers(*words) == offered, (words, bash.offers(*words))


def check_zsh(program, folder):
    script = folder / "share/zsh/site-functions/_dfsweep"
    assert script.read_text().startswith("#compdef dfsweep\n")
    run("zsh", "-n", script)
    # Calls the function with stand-ins for the builtins of the completion system, which print what they are given.
    stubs = "_arguments() { print -rl -- $@ }; _describe() { print -rl -- ${(P)3} ${(P)4} }; compadd() { print -rl -- $@ };"
    for command in commands_of(program):
        text = run("zsh", "-fc", f"{stubs} words=(dfsweep {command} ''); CURRENT=3; source {script}")
        for option in options_of(program, command):
            assert f"*{option}[" in text, (command, option, text)


def check_fish(program, folder):
    script = folder / "share/fish/vendor_completions.d/dfsweep.fish"
    run("fish", "--no-execute", script)

    def offers(line):
        text = run("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'", cwd=folder)
        return [offer.split("\t")[0] for offer in text.splitlines()]

    assert "plan" in offers("dfsweep pl")
    for command in commands_of(program):
        offered = offers(f"dfsweep {command} --")
        assert set(options_of(program, command)) <= set(offered), (command, offered)
    assert offers("dfsweep show --color a") == ["always", "auto"] or "always" in offers("dfsweep show --color a")


def check_pages(program, folder):
    pages = folder / "share/man/man1"
    commands = commands_of(program)
    assert sorted(page.name for page in pages.iterdir()) == sorted(["dfsweep.1"] + [f"dfsweep-{c}.1" for c in commands])
    for command in commands:
        text = (pages / f"dfsweep-{command}.1").read_text().replace("\\-", "-")
        for option in options_of(program, command) + ["EXIT STATUS", "EXAMPLES"]:
            assert option in text, (command, option)


def check_lint(program, folder):
    for page in sorted((folder / "share/man/man1").iterdir()):
        done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", page], capture_output=True, text=True)
        problems = [line for line in done.stdout.splitlines() if "missing date" not in line]
        assert not problems, "\n".join(problems)
        assert run("mandoc", "-T", "utf8", page), page


def main(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(program, "write-pages", folder)
        for check, needs in [(check_pages, None), (check_lint, "mandoc"), (check_bash, "bash"), (check_zsh, "zsh"),
                             (check_fish, "fish")]:
            if needs and not shutil.which(needs):
                print(f"{check.__name__}: skipped, {needs} is not there")
                continue
            check(program, folder)
            print(f"{check.__name__}: ok")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve())
