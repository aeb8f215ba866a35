"""The kernel without its wrapping: a bzImage holds a compressed ELF file, and QEMU loads that too.

Emulated, a kernel takes seconds to unpack itself; here it is done once. The wrapped file's format
is documented with the kernel (Documentation/arch/x86/boot.rst): at 0x1f1 the number of setup
sectors less one, at 0x248 the payload's offset behind them and at 0x24c its length.
"""

from __future__ import annotations

import gzip
import lzma
import struct
from collections.abc import Callable

SECTOR_BYTES = 512
SIZE_BYTES = 4
"""Behind the payload's compressed data stands its length when unpacked."""

UNPACK: dict[bytes, Callable[[bytes], bytes]] = {
    b"\xfd7zXZ\x00": lambda data: lzma.LZMADecompressor().decompress(data),
    b"\x1f\x8b": gzip.decompress,
}
ELF = b"\x7fELF"


def unwrapped(image: bytes) -> bytes:
    """The ELF file in a bzImage.

    Raises:
        ValueError: it is no bzImage, or compressed in a way that is not known here.
    """
    if image[0x202:0x206] != b"HdrS":
        raise ValueError("a bzImage has 'HdrS' at 0x202; this file has not")
    setup_sectors = image[0x1F1] or 4
    offset, length = struct.unpack_from("<II", image, 0x248)
    begin = (setup_sectors + 1) * SECTOR_BYTES + offset
    payload = image[begin : begin + length]
    for magic, unpack in UNPACK.items():
        if payload.startswith(magic):
            kernel = unpack(payload[:-SIZE_BYTES])
            if kernel.startswith(ELF):
                return kernel
            raise ValueError("what is packed in the bzImage is no ELF file")
    raise ValueError(f"a bzImage is packed with xz or gzip; this one begins {payload[:6].hex()}")
