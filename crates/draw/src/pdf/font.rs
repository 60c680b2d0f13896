//! The letters of a document: our font files as they are, the width of each
//! glyph, and which letter it stands for, so that text can be searched and copied.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use ttf_parser::{Face, GlyphId};

use super::{Ids, PdfError, packed};
use crate::Weight;

/// One weight and the glyphs that were written with it.
pub(super) struct Font {
    /// Its name on a page.
    pub name: Name<'static>,
    /// Its object.
    pub id: Ref,
    weight: Weight,
    face: Face<'static>,
    /// The letter that each written glyph stands for.
    glyphs: BTreeMap<u16, char>,
}

impl Font {
    pub fn new(weight: Weight, id: Ref) -> Result<Self, PdfError> {
        let face = Face::parse(weight.bytes(), 0)
            .map_err(|error| PdfError(format!("its letters cannot be read: {error}")))?;
        let name = match weight {
            Weight::Regular => Name(b"Regular"),
            Weight::Bold => Name(b"Bold"),
        };
        Ok(Self { name, id, weight, face, glyphs: BTreeMap::new() })
    }

    /// A text as the font's glyphs, two bytes each; letters that the font lacks
    /// are its empty box.
    pub fn codes(&mut self, text: &str) -> Vec<u8> {
        let mut codes = Vec::with_capacity(2 * text.len());
        for letter in text.chars() {
            let GlyphId(glyph) = self.face.glyph_index(letter).unwrap_or_default();
            self.glyphs.entry(glyph).or_insert(letter);
            codes.extend(glyph.to_be_bytes());
        }
        codes
    }

    /// Writes the objects of the font.
    pub fn embed(self, document: &mut Pdf, ids: &mut Ids) -> Result<(), PdfError> {
        let [cid, descriptor, letters, file] = [(); 4].map(|()| ids.next());
        let name = match self.weight {
            Weight::Regular => Name(b"Roboto-Regular"),
            Weight::Bold => Name(b"Roboto-Bold"),
        };
        let system =
            SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
        // PDF counts in thousandths of the font size.
        let unit = 1000.0 / f32::from(self.face.units_per_em());

        let mut font = document.type0_font(self.id);
        font.base_font(name).encoding_predefined(Name(b"Identity-H"));
        font.descendant_font(cid).to_unicode(letters);
        font.finish();

        let mut font = document.cid_font(cid);
        font.subtype(CidFontType::Type2).base_font(name).system_info(system);
        font.font_descriptor(descriptor).cid_to_gid_map_predefined(Name(b"Identity"));
        let mut widths = font.widths();
        for glyph in self.glyphs.keys() {
            let advance = self.face.glyph_hor_advance(GlyphId(*glyph)).unwrap_or(0);
            widths.consecutive(*glyph, [f32::from(advance) * unit]);
        }
        widths.finish();
        font.finish();

        let bounds = self.face.global_bounding_box();
        let [left, low, right, high] = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max]
            .map(|edge| f32::from(edge) * unit);
        let capital = self.face.capital_height().unwrap_or(self.face.ascender());
        let mut about = document.font_descriptor(descriptor);
        about.name(name).flags(FontFlags::SYMBOLIC).bbox(Rect::new(left, low, right, high));
        about.italic_angle(0.0).cap_height(f32::from(capital) * unit);
        about.ascent(f32::from(self.face.ascender()) * unit);
        about.descent(f32::from(self.face.descender()) * unit);
        // The font does not say how thick its stems are; readers need it only
        // where they have to do without the font.
        about.stem_v(if self.weight == Weight::Bold { 140.0 } else { 90.0 });
        about.font_file2(file);
        about.finish();

        let mut map = UnicodeCmap::<u16>::new(Name(b"Letters"), system);
        // Glyph 0 stands for every letter that the font lacks, so for none.
        for (glyph, letter) in self.glyphs.iter().filter(|(glyph, _)| **glyph != 0) {
            map.pair(*glyph, *letter);
        }
        document.stream(letters, &packed(map.finish().as_slice())?).filter(Filter::FlateDecode);

        let bytes = self.weight.bytes();
        let length =
            i32::try_from(bytes.len()).map_err(|_| PdfError("its font is too large".to_owned()))?;
        let packed = packed(bytes)?;
        let mut stream = document.stream(file, &packed);
        stream.pair(Name(b"Length1"), length);
        stream.filter(Filter::FlateDecode);
        stream.finish();
        Ok(())
    }
}
