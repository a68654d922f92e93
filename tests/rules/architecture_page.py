"""The table of folders in docs/architecture.md: a row for every folder, its sentence, and what it may include."""
import re

import include_rules

PAGE = "docs/architecture.md"
ROW = re.compile(r"^\| `([a-z0-9/_]+)/` \| (.*?) \| (.*?) \|$", re.M)


def shown(folder):
    """What a folder may include, as the page says it."""
    names = sorted(include_rules.MAY_INCLUDE.get(folder, ()))
    return ", ".join(f"`{name}`" for name in names) or "-"


def rows_of(text):
    return {folder: (sentence, includes) for folder, sentence, includes in ROW.findall(text)}


def table(sentences):
    lines = ["| folder | what lives there | may include |", "|---|---|---|"]
    lines += [f"| `{folder}/` | {sentences[folder]} | {shown(folder)} |" for folder in sentences]
    return "\n".join(lines)


def page_problems(text, folders):
    """`text`: of the page; `folders`: those that hold sources."""
    rows = rows_of(text)
    for folder in sorted(folders):
        if folder not in rows or not rows[folder][0].strip():
            yield f"{PAGE}: no sentence says what {folder}/ is"
    for folder, (_, includes) in rows.items():
        if folder not in folders:
            yield f"{PAGE}: {folder}/ holds no sources"
        elif includes != shown(folder):
            yield f"{PAGE}: {folder}/ may include {shown(folder)}, not {includes}"
