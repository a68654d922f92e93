"""mutate.py changes operators, constants, comparisons and answers of code, one at a time, and nothing else."""
import mutate

CASES = [
    ("a sum and its constant", "  if (stages > layers + 2) return late;",
     ["  if (stages >= layers + 2) return late;", "  if (stages > layers - 2) return late;", "  if (stages > layers + 3) return late;"]),
    ("a real constant", "constexpr double waiting = 1.5;", ["constexpr double waiting = 3.0;"]),
    ("a zero", "  double sum = 0.0;", ["  double sum = 1.0;"]),
    ("an answer", "  return true;", ["  return false;"]),
    ("the smaller of two", "  x = std::min(a, b);", ["  x = std::max(a, b);"]),
    ("a product", "  x = a * b;", ["  x = a / b;"]),
    ("a comment", "// 2 * 3", []),
    ("what follows code", "  f(a);  // 2 * 3", []),
    ("a text", '  f("2 * 3");', []),
    ("an include", "#include <span>", []),
    ("a pointer and a template", "  const Node* node = std::get<Node*>(x);", []),
    ("names with digits", "  f(x1, y2);", []),
]


def test_changes():
    for why, before, expected in CASES:
        found = list(mutate.changes(before))
        assert found == expected, f"{why}: {found}"


def test_listed_survivors():
    rows = mutate.LISTED.findall("| `a.cpp` | `x = 1;` | `x = 2;` | the value is replaced below |\n| `b.cpp` | `y` | `z` | |\n")
    assert [row[0] for row in rows] == ["a.cpp"], f"a row without a reason counts: {rows}"


if __name__ == "__main__":
    test_changes()
    test_listed_survivors()
