"""What a wheel holds of other languages: told by it, known, or the build ends."""

from __future__ import annotations

import hashlib
import json
import zipfile
from pathlib import Path

import pytest

from appliance.within import Within, within

OPENSSL = {
    "name": "openssl",
    "version": "4.0.3",
    "purl": "pkg:generic/openssl@4.0.3",
    "hashes": [{"alg": "SHA-256", "content": "aa"}],
}
CRATE = {
    "name": "pem",
    "version": "3.0.5",
    "licenses": [{"license": {"id": "MIT"}}, {"license": {"name": "Other"}}],
}


def wheel(folder: Path, name: str, files: dict[str, bytes]) -> Path:
    path = folder / name
    with zipfile.ZipFile(path, "w") as archive:
        for inner, data in files.items():
            archive.writestr(inner, data)
    return path


def test_a_wheel_says_itself_what_is_in_it(tmp_path: Path) -> None:
    bills = {
        f"a-1.dist-info/sboms/{number}.json": json.dumps({"components": [one]}).encode()
        for number, one in enumerate((OPENSSL, CRATE))
    }
    assert within(wheel(tmp_path, "a-1-py3-none-any.whl", {"a/x.abi3.so": b"x", **bills})) == [
        Within("openssl", "4.0.3", "Apache-2.0", "pkg:generic/openssl@4.0.3", "aa"),
        Within("pem", "3.0.5", "MIT AND Other"),
    ]


def test_a_library_that_is_a_file_of_its_own_is_named_with_its_digest(tmp_path: Path) -> None:
    file = "libusb_package/libusb-1.0.so"
    made = wheel(tmp_path, "libusb_package-1.0.30.2-py3-none-any.whl", {file: b"usb"})
    digest = hashlib.sha256(b"usb").hexdigest()
    assert within(made) == [Within("libusb", "1.0.30", "LGPL-2.1-or-later", sha256=digest)]


def test_one_that_is_linked_in_has_no_version_that_is_not_known(tmp_path: Path) -> None:
    made = wheel(tmp_path, "cffi-2.1.1-cp311-cp311-any.whl", {"_cffi_backend.so": b""})
    assert within(made) == [Within("libffi", None, "MIT")]


def test_of_python_alone_there_is_nothing_to_say(tmp_path: Path) -> None:
    assert within(wheel(tmp_path, "b-1-py3-none-any.whl", {"b/__init__.py": b""})) == []


@pytest.mark.parametrize("file", ["c/fast.so", "c.libs/libz.so.1"])
def test_native_files_of_which_nothing_is_known_end_the_build(tmp_path: Path, file: str) -> None:
    made = wheel(tmp_path, "c-1-py3-none-any.whl", {file: b""})
    with pytest.raises(SystemExit, match=file):
        within(made)
