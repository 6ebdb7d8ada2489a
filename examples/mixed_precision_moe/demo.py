"""Trains one small mixed-precision mixture of experts four ways, and shows what the dtype of one gradient decides.

The tokens are float16, the router is float32, so the gradient of the router's probabilities (`grad_probs`) has to be
float32. A wrapper and its Meta function once declared it in the tokens' dtype. The exit status is 1 if the runs do not
show what they should.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

# Where the torch-npu wheel is installed, `import torch` loads it, and without a device that fails.
os.environ.setdefault("TORCH_DEVICE_BACKEND_AUTOLOAD", "0")

import operators
import opwright
import torch
from opwright.softnpu import is_built
from plot import draw
from runs import LOSS_SCALE, STEPS, Run, distance, first_router_gradient, train

HERE = Path(__file__).resolve().parent
PICTURE = Path("out/mixed_precision_moe.png")

TITLES = {
    "float32": "float32 throughout, plain PyTorch",
    "opwright": "Opwright's operators, on CPU tensors",
    "torch_npu": "torch_npu wheel, on the software NPU",
    "fault": "historical fault, grad_probs float16",
}
LOSS_DISTANCE = 0.05
GRADIENT_DISTANCE = 2e-3


class Progress:
    """One line that fills while a run trains; only its end where nobody watches."""

    def __init__(self, title: str):
        self.title = title
        self.watched = sys.stderr.isatty()

    def __call__(self, step: int, loss: float) -> None:
        ended = step == STEPS or not math.isfinite(loss)
        if self.watched or ended:
            bar = "█" * (24 * step // STEPS)
            start, end = ("\r" if self.watched else ""), ("\n" if ended else "")
            print(
                f"{start}{self.title:<38} {bar:·<24} step {step:>3}  loss {loss:.3f}",
                end=end,
                file=sys.stderr,
                flush=True,
            )


def train_on_software_npu(progress: Progress) -> Run:
    """In a process of its own, because the wheel needs the software NPU's libraries from the start."""
    environment = {name: value for name, value in os.environ.items() if name != "TORCH_DEVICE_BACKEND_AUTOLOAD"}
    read, write = os.pipe()
    command = [Path(sys.executable).with_name("opwright"), "run", "--software", HERE / "on_npu.py", str(write)]
    with tempfile.TemporaryFile("w+") as messages, open(read) as report:
        process = subprocess.Popen(command, env=environment, pass_fds=[write], stdout=messages, stderr=messages)
        os.close(write)
        for line in report:
            value = json.loads(line)
            if isinstance(value, dict):
                run = Run(**value)
            else:
                progress(*value)
        if process.wait() != 0:
            messages.seek(0)
            sys.exit(f"{messages.read()}\nThe run on the software NPU ended with exit status {process.returncode}.")
    return run


def train_all(plain: SimpleNamespace, faulty: SimpleNamespace) -> dict[str, Run]:
    runs = {
        "float32": train(plain, torch.float32, "cpu", Progress(TITLES["float32"])),
        "opwright": train(opwright, torch.float16, "cpu", Progress(TITLES["opwright"])),
    }
    if is_built():
        runs["torch_npu"] = train_on_software_npu(Progress(TITLES["torch_npu"]))
    else:
        print(f"{TITLES['torch_npu']}: left out, it is built only beside the torch-npu wheel", file=sys.stderr)
    runs["fault"] = train(faulty, torch.float16, "cpu", Progress(TITLES["fault"]))
    return runs


def print_table(runs: dict[str, Run], exact_gradient: list[float]) -> None:
    print(f"\n{'run':<38}{'final loss':>12}{'router gradient*':>18}{'finite':>8}{'seconds':>9}")
    for name, run in runs.items():
        error = f"{distance(run.router_gradient, exact_gradient):.1e}" if run.finite else "NaN"
        finite = "yes" if run.finite else "no"
        print(f"{TITLES[name]:<38}{run.final_loss:>12.3f}{error:>18}{finite:>8}{run.seconds:>9.1f}")
    print("* its error in the first step, relative to float64")


def print_what_is_provoked(faulty: SimpleNamespace, exact_gradient: list[float]) -> None:
    right = distance(first_router_gradient(opwright, torch.bfloat16), exact_gradient)
    wrong = distance(first_router_gradient(faulty, torch.bfloat16), exact_gradient)
    print(f"""
What is provoked, and how: the loss is summed over a batch and multiplied by a static scale of {LOSS_SCALE:.0f}.
The float16 gradients of the right program stay below 65504, the largest float16 number. grad_probs, sums over the
hidden size, do not, and need not: they are float32. The fault rounds them to float16, they become infinite, and the
softmax makes NaN of them. A dynamic loss scale would be lowered until they fit. In bfloat16, which has the range of
float32, the fault only loses digits, and at this size nothing can be seen: the error of the router's gradient is
{right:.1e} without the fault and {wrong:.1e} with it.""")


def unmet_claims(runs: dict[str, Run], exact_gradient: list[float]) -> list[str]:
    unmet = []
    for name in runs.keys() & {"opwright", "torch_npu"}:
        run = runs[name]
        if not run.finite:
            unmet.append(f"{TITLES[name]}: not finite")
        elif abs(run.final_loss - runs["float32"].final_loss) > LOSS_DISTANCE:
            unmet.append(f"{TITLES[name]}: the final loss is not within {LOSS_DISTANCE} of that in float32")
        elif distance(run.router_gradient, exact_gradient) > GRADIENT_DISTANCE:
            unmet.append(f"{TITLES[name]}: the router's gradient is not within {GRADIENT_DISTANCE} of float64")
    if runs["fault"].finite:
        unmet.append(f"{TITLES['fault']}: no harm done")
    return unmet


def main() -> int:
    started = time.perf_counter()
    torch.set_num_threads(1)  # the matrices are small, and sums come in one order on every machine
    plain = operators.plain()
    faulty = operators.with_historical_fault(opwright)
    exact_gradient = first_router_gradient(plain, torch.float64)

    runs = train_all(plain, faulty)
    print_table(runs, exact_gradient)
    print_what_is_provoked(faulty, exact_gradient)
    draw(runs, TITLES, exact_gradient, PICTURE)
    print(f"\n{PICTURE} shows it. {time.perf_counter() - started:.0f} seconds in all.")

    unmet = unmet_claims(runs, exact_gradient)
    for claim in unmet:
        print(f"error: {claim}", file=sys.stderr)
    return 1 if unmet else 0


if __name__ == "__main__":
    sys.exit(main())
