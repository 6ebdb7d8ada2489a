"""`opwright run`, and the ways in which a program and its child processes come to the software NPU."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from opwright import softnpu

ANNOUNCEMENT = "opwright: software NPU (Ascend910B1, simulated on CPU)"


@pytest.fixture
def run(tmp_path):
    """Runs a program as `opwright run` does, with options; gives its output and its errors."""

    def run(program, *options, expect=0, environment=None):
        script = tmp_path / "program.py"
        script.write_text(program)
        main = (
            f"import sys; from opwright import softnpu; sys.exit(softnpu.main({[*options, str(script), 'x', '-y']!r}))"
        )
        inherited = {name: value for name, value in os.environ.items() if name != "TORCH_DEVICE_BACKEND_AUTOLOAD"}
        finished = subprocess.run(
            [sys.executable, "-c", main], env={**inherited, **(environment or {})}, capture_output=True, text=True
        )
        assert finished.returncode == expect, finished.stdout + finished.stderr
        return finished.stdout, finished.stderr

    return run


ADD = "print((torch.ones(2, device='npu') + 1).cpu().tolist())\n"


@pytest.mark.parametrize("imports", ["import torch", "import torch, torch_npu", "import torch_npu, torch"])
def test_import_orders(run, imports):
    output, errors = run(f"{imports}\n{ADD}")
    assert output.splitlines()[-1] == "[2.0, 2.0]"
    assert errors.count(ANNOUNCEMENT) == 1


def test_arguments_reach_the_program(run):
    output, _ = run("import sys; print(sys.argv[1:], __name__)")
    assert output == "['x', '-y'] __main__\n"


def test_module():
    command = "import sys; from opwright import softnpu; softnpu.main(['-m', 'json.tool', '--help'])"
    finished = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert finished.returncode == 0
    assert "usage: python -m json.tool" in finished.stdout


def test_exit_status(run):
    run("raise SystemExit(7)", expect=7)


def test_machine(run):
    output, errors = run(
        "import torch, torch_npu\n"
        "print(torch.npu.device_count(), torch.npu.get_device_name(), torch.npu.mem_get_info(1)[1])\n"
        "print(torch.ones(2, device='npu:1').device)\n",
        *("--devices", "2", "--memory", "3GiB", "--soc", "Ascend910B3"),
    )
    assert output.splitlines()[-2:] == [f"2 Ascend910B3 {3 << 30}", "npu:1"]
    assert "software NPU (Ascend910B3, simulated on CPU)" in errors


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--memory", "64GB"], 'OPWRIGHT_NPU_MEMORY must be a size such as 64GiB or 512MiB, got "64GB"'),
        (["--devices", "0"], 'OPWRIGHT_NPU_DEVICES must be a number from 1 to 64, got "0"'),
    ],
)
def test_machine_that_cannot_be(run, options, message):
    _, errors = run(
        "import torch, torch_npu; torch.npu.device_count(); torch.ones(2, device='npu')", *options, expect=2
    )
    assert message in errors


def test_dry_computes_nothing_and_checks_everything(run):
    output, errors = run(
        "import torch, torch_npu\n"
        "x = torch.linalg.inv(torch.ones(3, 3, device='npu'))\n"  # has no entry point, but in dry mode succeeds
        "print(torch.nonzero(x).shape[1], (x @ x).shape)\n",
        "--dry",
    )
    assert output.splitlines()[-1] == "2 torch.Size([3, 3])"
    assert "dry: nothing is computed" in errors


def test_trace(run):
    _, errors = run(f"import torch, torch_npu\n{ADD}", "--trace")
    assert "[npu] aclrtSetDevice 0" in errors
    assert "[npu] aclnnAdds" in errors


def test_data_loader_workers(run):
    output, _ = run(
        "import torch, torch_npu\n"
        "class Squares(torch.utils.data.Dataset):\n"
        "    def __len__(self): return 8\n"
        "    def __getitem__(self, i): return torch.tensor(float(i * i))\n"
        "if __name__ == '__main__':\n"
        "    for method in ('fork', 'spawn'):\n"
        "        loader = torch.utils.data.DataLoader(Squares(), batch_size=4, num_workers=2, pin_memory=True,\n"
        "                                             multiprocessing_context=method)\n"
        "        print(method, sum(batch.npu().sum().item() for batch in loader))\n"
    )
    # Workers print messages of the wheel in between.
    assert [line for line in output.splitlines() if line.startswith(("fork", "spawn"))] == ["fork 140.0", "spawn 140.0"]


def test_child_process(run):
    output, _ = run(
        f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {'import torch; ' + ADD!r}], check=True)\n"
    )
    assert output.splitlines()[-1] == "[2.0, 2.0]"


def test_load_in_this_process():
    program = f"from opwright import softnpu; softnpu.load(); import torch; {ADD}"
    inherited = {name: value for name, value in os.environ.items() if name != "TORCH_DEVICE_BACKEND_AUTOLOAD"}
    finished = subprocess.run([sys.executable, "-c", program], env=inherited, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[-1] == "[2.0, 2.0]"


@pytest.fixture
def cann(tmp_path):
    """A folder that looks like a CANN installation."""
    folder = tmp_path / "cann"
    folder.mkdir()
    (folder / "libascendcl.so").touch()
    return str(folder)


def test_real_cann_is_left_alone(run, cann):
    _, errors = run("", expect=2, environment={"LD_LIBRARY_PATH": cann})
    assert errors == (
        f"opwright run: there is a real CANN ({cann}/libascendcl.so), which is left alone; to use the software NPU all "
        "the same, pass --software or set OPWRIGHT_NPU_SOFTWARE=1\n"
    )


def test_real_cann_is_passed_over_when_asked(run, cann):
    output, _ = run(f"import torch\n{ADD}", "--software", environment={"LD_LIBRARY_PATH": cann})
    assert output.splitlines()[-1] == "[2.0, 2.0]"


def test_without_a_build(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(softnpu, "LIBRARIES", Path(tmp_path))
    assert softnpu.main(["script.py"]) == 2
    assert capsys.readouterr().err == (
        "opwright run: the software NPU is not built: it needs the torch-npu wheel (x86-64, Python 3.11); "
        "run `make setup`\n"
    )


def test_without_a_program(capsys):
    with pytest.raises(SystemExit):
        softnpu.main(["--dry"])
    assert "there is no program to run" in capsys.readouterr().err
