"""The declarations as the tests read them: with PyYAML and a few regular expressions, not with our own front end."""

import re
from dataclasses import dataclass
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Pattern:
    """`D[T, K?]`: a dtype, that is a type set, a fixed dtype or a ScalarType argument; and dims."""

    dtype: str
    dims: tuple[str, ...]

    @property
    def has_pack(self) -> bool:
        return any(dim.startswith("*") for dim in self.dims)

    @property
    def ranks(self) -> set[int]:
        """The ranks that the pattern takes, where it has no pack of dims."""
        return {len(self.dims), len(self.dims) - any(dim.endswith("?") for dim in self.dims)}


@dataclass(frozen=True)
class Declaration:
    name: str
    schema: str
    types: dict[str, list[str]]
    patterns: dict[str, Pattern]  # of the tensor arguments
    text: dict  # the document itself

    def dtypes(self, argument: str) -> list[str]:
        """The names of the dtypes that an argument takes; of a ScalarType argument's dtype, any floating-point one."""
        dtype = self.patterns[argument].dtype
        if dtype in self.types:
            return self.types[dtype]
        return self.types["D"] if dtype in self.schema else [dtype]

    def mentions(self, dim: str) -> int:
        """How often arguments, rules or the schema name a dim, or a formula says what it must be."""
        uses = [d for pattern in self.patterns.values() for d in pattern.dims]
        uses += self.text.get("dims", {})
        uses += [str(rule["require"]) for rule in self.text.get("rules", {}).values()]
        uses += re.findall(r"\w+", self.schema)
        return sum(len(re.findall(rf"\b{re.escape(dim)}\b", use)) for use in uses)


def _pattern(text: str) -> Pattern:
    dtype, dims = re.fullmatch(r"(\w+)\[(.*)\]", text).groups()
    # A comma inside parentheses belongs to a shape function: *halve(Z, dim).
    return Pattern(dtype, tuple(dim.strip() for dim in re.split(r",(?![^(]*\))", dims) if dim.strip()))


def _load() -> dict[str, Declaration]:
    declarations = {}
    for path in sorted(ROOT.glob("ops/*/*.yaml")):
        if path.parent.name == "aten":
            continue
        for document in yaml.safe_load_all(path.read_text()):
            declarations[document["operator"]] = Declaration(
                name=document["operator"],
                schema=document["schema"],
                types=document.get("types", {}),
                patterns={name: _pattern(text) for name, text in document["arguments"].items()},
                text=document,
            )
    return declarations


DECLARATIONS = _load()
