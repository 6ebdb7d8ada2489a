"""The right operators through the torch_npu wheel, for `opwright run`.

The argument is an open file descriptor. It gets JSON: a line a step, and one of the run. On stdout the wheel prints
messages of its own.
"""

import dataclasses
import json
import sys

import torch
import torch_npu
from runs import train


def main() -> None:
    torch.set_num_threads(1)
    with open(int(sys.argv[1]), "w", buffering=1) as report:
        run = train(torch_npu, torch.float16, "npu", on_step=lambda *step: print(json.dumps(step), file=report))
        print(json.dumps(dataclasses.asdict(run)), file=report)


if __name__ == "__main__":
    main()
