"""Temporary folders that killed processes leave."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from aspgames.runtime.temporary_files import TemporaryFolder

WAITS = (
    "import time; from aspgames.runtime.temporary_files import TemporaryFolder; "
    "folder = TemporaryFolder(); open(folder.name + '/file', 'w'); "
    "print(folder.name, flush=True); time.sleep(60)"
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no locks there")
def test_only_the_folders_of_dead_processes_are_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    foreign = tmp_path / "aspgames-foreign"
    foreign.mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/lock").touch()
    (tmp_path / "aspgames-link").symlink_to(tmp_path / "outside")
    stay = {"aspgames-foreign", "aspgames-link", "outside"}
    with subprocess.Popen([sys.executable, "-c", WAITS], stdout=subprocess.PIPE) as process:
        assert process.stdout
        left = Path(process.stdout.readline().decode().strip())
        with TemporaryFolder() as own, TemporaryFolder() as other:
            names = {path.name for path in tmp_path.iterdir()}
            assert names == stay | {left.name, Path(own).name, Path(other).name}
        process.send_signal(signal.SIGKILL)
    assert (left / "file").exists()
    with TemporaryFolder() as own:
        assert {path.name for path in tmp_path.iterdir()} == stay | {Path(own).name}
    assert {path.name for path in tmp_path.iterdir()} == stay
    assert (tmp_path / "outside/lock").exists()


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() > 0, reason="needs another user's file"
)
def test_another_users_folder_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    other = tmp_path / "aspgames-other"
    other.mkdir()
    (other / "lock").touch()
    os.chown(other, 12345, 12345)
    TemporaryFolder().cleanup()
    assert other.exists()
    os.chown(other, 0, 0)
    TemporaryFolder().cleanup()
    assert not other.exists()
