"""The shape of the code: imports go down only, no circles, none hidden in functions, small files."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ringtrue

ROOT = Path(ringtrue.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
# Rooms by floor. An import goes to a lower floor, or stays in its own room.
FLOORS = {
    **dict.fromkeys(("types", "errors", "text", "stats"), 1),
    **dict.fromkeys(("catalogue", "data", "models", "traces"), 2),
    **dict.fromkeys(("metrics", "judges", "engine", "golden", "report", "pipelines"), 3),
    "app": 4,
}
# On one floor these may build on one another, in this order only.
SAME_FLOOR = {("text", "types"), ("text", "errors"), ("stats", "errors"), ("types", "errors"), ("data", "catalogue")}


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def own_imports(tree: ast.AST) -> list[tuple[ast.stmt, str]]:
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "ringtrue":
            found += [(node, f"{node.module}.{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names if alias.name.split(".")[0] == "ringtrue"]
    return found


MODULES = {module_of(path): path for path in FILES}


def target(name: str) -> str:
    """The module that an imported name lives in."""
    return name if name in MODULES else name.rpartition(".")[0]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_go_down_only(path: Path) -> None:
    module = module_of(path)
    if module in ("ringtrue", "ringtrue.app.pytest_plugin"):  # the face, and the one door that goes through it
        return
    wrong = []
    for node, name in own_imports(ast.parse(path.read_text(encoding="utf-8"))):
        here, there = room_of(module), room_of(target(name))
        if name == "ringtrue.__version__" or here == there or (here, there) in SAME_FLOOR:
            continue
        if there == "" or FLOORS[there] >= FLOORS[here]:
            wrong.append(f"line {node.lineno}: {here} imports {name}")
    assert not wrong


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_own_import_is_hidden_in_a_function(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert not [f"line {node.lineno}: {name}" for function in functions for node, name in own_imports(function)]


def test_no_module_imports_itself_in_a_circle() -> None:
    graph = {
        module: {target(name) for _, name in own_imports(ast.parse(path.read_text(encoding="utf-8")))} - {module}
        for module, path in MODULES.items()
        if module != "ringtrue"
    }
    done: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join((*trail, module))
        if module not in done:
            for other in graph.get(module, ()):
                if other != "ringtrue":
                    visit(other, (*trail, module))
            done.add(module)

    for module in graph:
        visit(module, ())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_and_functions_are_small(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count("\n") <= 400
    long = [
        f"{node.name}: {node.end_lineno - node.lineno + 1} lines"
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno + 1 > 60
    ]
    assert not long


def test_a_folder_holds_twelve_modules_at_most() -> None:
    folders = {path.parent for path in FILES}
    assert not [
        str(folder) for folder in folders if len([one for one in folder.glob("*.py") if one.stem != "__init__"]) > 12
    ]


def test_every_module_says_what_it_is() -> None:
    assert not [str(path) for path in FILES if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))]


def loaded_by(code: str) -> set[str]:
    run = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(*sys.modules)"], capture_output=True, text=True, check=True
    )
    return {name.split(".")[0] for name in run.stdout.split()}


def test_importing_ringtrue_imports_nothing_heavy() -> None:
    heavy = {
        "numpy",
        "pyarrow",
        "pandas",
        "rich",
        "aiohttp",
        "sqlalchemy",
        "pydantic",
        "jinja2",
        "yaml",
        "sacrebleu",
        "regex",
    }
    assert not loaded_by("import ringtrue") & heavy


def test_the_help_imports_nothing_heavy() -> None:
    heavy = {"numpy", "pyarrow", "pandas", "rich", "aiohttp", "sqlalchemy", "jinja2", "yaml", "sacrebleu", "regex"}
    assert not loaded_by("import ringtrue.app.cli") & heavy


def test_the_public_names_are_these_and_all_can_be_reached() -> None:
    assert sorted(ringtrue.__all__) == ringtrue.__all__
    assert all(getattr(ringtrue, name) is not None for name in ringtrue.__all__)
    assert set(ringtrue.__all__) <= set(dir(ringtrue))
    with pytest.raises(AttributeError, match="no attribute 'evaluate'"):
        ringtrue.evaluate  # noqa: B018
