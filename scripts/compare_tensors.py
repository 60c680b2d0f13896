"""Compares the tensors of the latest checkpoints of two run folders by value, whatever their names: part of compare-builds.sh."""

import hashlib
import json
import pathlib
import struct
import sys
from collections import Counter


def tensors(run: pathlib.Path) -> Counter:
    """How often each (type, shape, bytes) occurs in the newest checkpoint."""
    checkpoint = sorted((run / "checkpoints").glob("step-*.safetensors"))[-1]
    content = checkpoint.read_bytes()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    body = content[8 + length :]
    found = Counter()
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        start, end = entry["data_offsets"]
        digest = hashlib.sha256(body[start:end]).hexdigest()
        found[entry["dtype"], tuple(entry["shape"]), digest] += 1
    return found


def main() -> int:
    old, new = (tensors(pathlib.Path(argument)) for argument in sys.argv[1:3])
    for name, only in (("old", old - new), ("new", new - old)):
        for (dtype, shape, digest), count in sorted(only.items())[:5]:
            print(f"only in the {name} checkpoint, {count} times: {dtype} {list(shape)} {digest[:12]}")
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
