"""The right operators through the torch_npu wheel, for `opwright run`. Prints JSON: a line a step, one of the run."""

import dataclasses
import json

import torch
import torch_npu
from runs import train


def main() -> None:
    torch.set_num_threads(1)
    run = train(torch_npu, torch.float16, "npu", on_step=lambda step, loss: print(json.dumps([step, loss]), flush=True))
    print(json.dumps(dataclasses.asdict(run)))


if __name__ == "__main__":
    main()
