#!/usr/bin/env python3
"""Make table/: small parquet tables of PGM and VAD, for the fuzz target `table`.

    python3 make_tables.py        (needs pyarrow and pillow)
"""

import io
import os

import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
FORMS = {"pgm": (8, 8), "vad": (5, 4)}
WORDS = {
    "pgm": [["shape", "position", "OR"], ["line", "type", "OR"]],
    "vad": [["shape", "color", "XOR"]],
}
BITS = ["shape", "line", "color", "number", "position", "size", "type", "progression", "XOR", "OR", "AND",
        "consistent_union"]
NAMES = {"pgm": "PGM_neutral_train_7", "vad": "analogy_interpolation_test_lbc_7"}


def picture(grey):
    out = io.BytesIO()
    Image.new("L", (2, 2), grey).save(out, "PNG")
    return {"bytes": out.getvalue(), "path": None}


def row(kind):
    panels, choices = FORMS[kind]
    encoded = [[int(bit in words) for bit in BITS] for words in WORDS[kind]]
    return {
        "panels": [picture(10 * i) for i in range(panels)],
        "choices": [picture(100 + 10 * i) for i in range(choices)],
        "relation_structure": WORDS[kind],
        "relation_structure_encoded": encoded,
        "meta_target": [max(bits) for bits in zip(*encoded)] if kind == "pgm" else None,
        "target": 1,
        "id": 7,
        "file": NAMES[kind],
        "truth": None,
    }


IMAGES = pa.list_(pa.struct([("bytes", pa.binary()), ("path", pa.string())]))
SCHEMA = pa.schema([
    ("panels", IMAGES),
    ("choices", IMAGES),
    ("relation_structure", pa.list_(pa.list_(pa.string()))),
    ("relation_structure_encoded", pa.list_(pa.list_(pa.uint8()))),
    ("meta_target", pa.list_(pa.uint8())),
    ("target", pa.uint8()),
    ("id", pa.int64()),
    ("file", pa.string()),
    ("truth", pa.string()),
])


def write(name, rows, **options):
    table = pa.Table.from_pylist(rows, schema=SCHEMA)
    pq.write_table(table, os.path.join(HERE, "table", name), store_schema=False, **options)


os.makedirs(os.path.join(HERE, "table"), exist_ok=True)
for kind in FORMS:
    write(f"{kind}.parquet", [row(kind)], compression="NONE", write_statistics=False)
    write(f"{kind}-snappy.parquet", [row(kind)] * 2, compression="SNAPPY")
    plain = {"compression": "NONE", "use_dictionary": False, "write_statistics": False}
    write(f"{kind}-plain.parquet", [row(kind)], **plain)
    write(f"{kind}-pages-2.parquet", [row(kind)], data_page_version="2.0", **plain)
write("both.parquet", [row("pgm"), row("vad")], compression="NONE", row_group_size=1)
