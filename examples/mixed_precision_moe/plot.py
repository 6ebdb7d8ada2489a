"""The picture: what the dtype of one gradient does to the loss and to the router's gradient."""

import math
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # before pyplot, which would look for a screen
from matplotlib import pyplot
from matplotlib.axes import Axes
from runs import STEPS, Run, distance

RED = "#d6293e"
LINES = {
    "float32": dict(color="#b8bec6", linewidth=6, solid_capstyle="round"),
    "opwright": dict(color="#1b62d1", linewidth=1.8),
    "torch_npu": dict(color="#f59f00", linewidth=1.8, linestyle=(0, (3, 3))),
    "fault": dict(color=RED, linewidth=1.8),
}


def draw(runs: dict[str, Run], titles: dict[str, str], exact_gradient: list[float], file: Path) -> None:
    """`runs` and `titles` have the keys of LINES; a run that was left out is missing."""
    with pyplot.rc_context({"font.size": 11, "axes.spines.top": False, "axes.spines.right": False}):
        figure, (losses, gradients) = pyplot.subplots(1, 2, figsize=(13, 5), width_ratios=[3, 2], layout="constrained")
        figure.suptitle(
            "One gradient in the wrong dtype: a mixture of experts with float16 tokens and a float32 router"
        )
        draw_losses(losses, runs, titles)
        draw_gradients(gradients, runs, titles, exact_gradient)
        file.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(file, dpi=120)
        pyplot.close(figure)


def draw_losses(axes: Axes, runs: dict[str, Run], titles: dict[str, str]) -> None:
    largest = math.ceil(max(runs["float32"].losses))
    not_a_number = largest + 0.3
    for name, run in runs.items():
        axes.plot(range(1, len(run.losses) + 1), run.losses, label=titles[name], **LINES[name])
        if not run.finite:
            lost = len(run.losses)
            crosses = range(lost, STEPS + 1, 4)
            axes.plot([lost - 1, lost], [run.losses[-2], not_a_number], color=RED)
            axes.plot(crosses, [not_a_number] * len(crosses), "x", color=RED)
            axes.text(lost + 8, largest, f"NaN from step {lost} on: every weight is lost", color=RED, va="top", size=12)
    axes.set(xlabel="step", ylabel="loss", title="Training", xlim=(0, STEPS + 2))
    axes.set_yticks([*range(2, largest + 1), not_a_number], [*range(2, largest + 1), "NaN"])
    axes.legend(frameon=False, loc="center right")


def draw_gradients(axes: Axes, runs: dict[str, Run], titles: dict[str, str], exact_gradient: list[float]) -> None:
    least, most = 1e-8, 10
    for place, (name, run) in enumerate(runs.items()):
        if run.finite:
            error = distance(run.router_gradient, exact_gradient)
            axes.bar(place, error, color=LINES[name]["color"], width=0.7)
            axes.text(place, 1.5 * error, f"{error:.0e}", horizontalalignment="center")
        else:
            axes.bar(place, most, facecolor="white", edgecolor=RED, hatch="xx", width=0.7)
            axes.text(place, 1.5 * most, "NaN", horizontalalignment="center", color=RED, fontweight="bold")
    axes.set(
        title="Error of the router's first gradient",
        ylabel="relative to float64",
        yscale="log",
        ylim=(least, 10 * most),
    )
    axes.set_xticks(range(len(runs)), [textwrap.fill(titles[name], 14) for name in runs], fontsize=9)
