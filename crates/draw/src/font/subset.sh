#!/bin/sh
# Makes the two small font files of this folder from the full Roboto fonts
# (Debian package fonts-roboto-unhinted 2:0~20170802-3) with fontTools 4.68.
# Usage: subset.sh FOLDER_OF_THE_FULL_FONTS
set -eu
letters='U+0020-007E,U+00A0-017F,U+0391-03A9,U+03B1-03C9,U+0410-044F,U+2010-2026,U+2030,U+2032-2033,U+2212,U+2248,U+2260,U+2264-2265'
for weight in Regular Bold; do
    pyftsubset "$1/Roboto-$weight.ttf" --output-file="Roboto-$weight.ttf" --unicodes="$letters" \
        --no-hinting --layout-features='' --notdef-outline --drop-tables+=GSUB,GPOS,GDEF,DSIG,hdmx,VDMX,LTSH,gasp \
        --name-IDs='0,1,2,4,5,6,7,13,14' --no-recommended-glyphs
done
