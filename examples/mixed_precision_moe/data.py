"""English text that every Python installation has: the topics of `help()`, about 465,000 characters."""

from dataclasses import dataclass
from pydoc_data.topics import topics

import torch


@dataclass(frozen=True)
class Text:
    """A text as one row of character numbers, below `alphabet_size`."""

    characters: torch.Tensor
    alphabet_size: int

    @classmethod
    def load(cls) -> "Text":
        text = "\n".join(topics[name] for name in sorted(topics))
        alphabet = sorted(set(text))
        number = {character: i for i, character in enumerate(alphabet)}
        return cls(torch.tensor([number[character] for character in text]), len(alphabet))

    def batch(self, generator: torch.Generator, size: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
        """`size` pieces of `length` characters from anywhere in the text, and the character after each of theirs."""
        starts = torch.randint(len(self.characters) - length, (size, 1), generator=generator)
        pieces = self.characters[starts + torch.arange(length + 1)]
        return pieces[:, :-1].contiguous(), pieces[:, 1:].contiguous()
