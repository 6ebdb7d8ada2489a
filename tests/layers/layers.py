"""Reads a source tree and says where a file reaches into what its room must not know. The rules are in layers.toml."""

import ast
import fnmatch
import pathlib
import re
import subprocess
import tomllib

RULES = tomllib.loads((pathlib.Path(__file__).parent / "layers.toml").read_text())

RAW_STRING = re.compile(r'R"([^\s(]*)\(.*?\)\1"', re.S)
INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<([^>]+)>|"([^"]+)")')
# Written in pieces, so that this file does not find itself.
MACHINE_PATHS = re.compile(r"(?<![\w.$}/-])/" + r"(?:work|root|home|tmp)/")
REGISTRY_HOSTS = re.compile(
    r"\b(?:[\w-]+\.)*(?:py" + r"pi|pythonhosted|py" + r"torch|deb" + r"ian|conda|docker)\.(?:org|io|com)\b"
)
TESTS = ("_test.cpp", "/testing.h", "/testing.cpp")
REFERENCES = ("_ref.cpp", "/reference.h")
GOLDENS = "emit/golden/"  # what the generator writes, not what it includes
BUILT = [
    "*.so",
    "*.o",
    "*.a",
    "*.pyc",
    "*.whl",
    "build/*",
    "*/generated/*",
    "python/opwright/lib/*",
    "python/opwright/bin/*",
]


def files(root):
    """Paths that git would commit, relative to root."""
    listing = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"],
        cwd=root,
        check=True,
        capture_output=True,
        text=True,
    )
    return [path for path in listing.stdout.splitlines() if (root / path).is_file()]


def violations(root):
    """One line for each broken rule of a tree: 'file:line: what is wrong'."""
    found = []
    for path in files(root):
        if any(fnmatch.fnmatch(path, pattern) for pattern in BUILT):
            found.append(f"{path}: built files do not belong into git")
            continue
        try:
            text = (root / path).read_text()
        except UnicodeDecodeError:
            continue
        found += in_any_text(path, text)
        if path.endswith((".cpp", ".h")) and not path.startswith(GOLDENS):
            found += in_cpp(path, text)
        if path in RULES["python"]["lazy"]:
            found += in_lazy_python(path, text)
    return found


def in_any_text(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATHS.search(line):
            found.append(f"{path}:{number}: path of one machine: {line.strip()}")
        if REGISTRY_HOSTS.search(line):
            found.append(f"{path}:{number}: host of a package registry: {line.strip()}")
    return found


def in_cpp(path, text):
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        for header in RULES["text"]["slow_headers"]:
            if header in line:
                found.append(f"{path}:{number}: {header} is never included; take the header of what is used")
    # What an emitter prints is not what it includes.
    own = RAW_STRING.sub(lambda literal: "\n" * literal[0].count("\n"), text)
    for number, line in enumerate(own.splitlines(), 1):
        if match := INCLUDE.match(line):
            reason = forbidden(path, match[1] or match[2])
            if reason:
                found.append(f"{path}:{number}: {reason}")
    return found


def room_of(path):
    """The most exact room that the path lies in, or None."""
    rooms = [room for room in RULES["rooms"] if fnmatch.fnmatch(path, room if "*" in room else f"{room}/*")]
    return max(rooms, key=len, default=None)


def forbidden(path, header):
    """Why this file must not include this header, or None."""
    room = room_of(path)
    if room is None:
        return None
    rule = RULES["rooms"][room]

    for library, prefixes in RULES["libraries"].items():
        if header.startswith(tuple(prefixes)):
            allowed = library in rule.get("libraries", []) or (library == "test" and path.endswith(TESTS))
            return None if allowed else f"{room} must not include the {library} library: {header}"

    target = room_of(header)
    if target is not None:
        allowed = target in (room, *rule.get("rooms", [])) or header in rule.get("headers", [])
        if allowed and target == room == "ops" and family_of(header) not in (None, family_of(path)):
            return f"{path.split('/')[1]} must not include another family: {header}"
        if allowed and target == "kernels" and path.endswith(REFERENCES):
            return f"a reference shares no code with the kernels: {header}"
        return None if allowed else f"{room} must not include {target}: {header}"

    if "/" in header and not header.startswith("sys/"):
        generated = rule.get("generated")
        allowed = generated == "all" or (generated == "family" and header.split("/")[0] == family_of(path))
        return None if allowed else f"{room} must not include generated code of {header.split('/')[0]}: {header}"
    return None


def family_of(path):
    """The family of ops/FAMILY/...; None for what all families share, ops/FILE."""
    parts = path.split("/")
    return parts[1] if len(parts) > 2 else None


def in_lazy_python(path, text):
    """Imports of torch that run when the module is imported."""
    found = []
    statements = list(ast.parse(text).body)
    while statements:
        statement = statements.pop()
        if isinstance(statement, ast.Import):
            names = [alias.name for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names = [statement.module or ""]
        elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        else:
            statements += [child for child in ast.walk(statement) if isinstance(child, ast.Import | ast.ImportFrom)]
            continue
        if any(name.split(".")[0] in ("torch", "torch_npu") for name in names):
            found.append(
                f"{path}:{statement.lineno}: imports torch when it is imported; the command line must start fast"
            )
    return found
