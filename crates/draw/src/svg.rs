//! Pictures as SVG text: self-contained, with words for screen readers.

use std::fmt::Write;

use super::image::GreyImage;
use super::picture::{Anchor, Area, Mark, Paint, Picture, Rgb, Text};
use super::png;

impl Picture {
    /// The picture as an SVG document. It refers to nothing outside itself.
    pub fn svg(&self) -> String {
        let mut out = String::new();
        let (width, height) = (number(self.width), number(self.height));
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"Roboto, Helvetica, Arial, sans-serif\">"
        );
        for (tag, words) in [("title", &self.title), ("desc", &self.description)] {
            if !words.is_empty() {
                let _ = writeln!(out, "<{tag}>{}</{tag}>", escaped(words));
            }
        }
        for mark in &self.marks {
            write_mark(&mut out, mark);
            out.push('\n');
        }
        out.push_str("</svg>\n");
        out
    }
}

fn write_mark(out: &mut String, mark: &Mark) {
    // Writing to a String cannot fail.
    let _ = match mark {
        Mark::Rect { area, radius, paint } => {
            let round =
                if *radius > 0.0 { format!(" rx=\"{}\"", number(*radius)) } else { String::new() };
            write!(out, "<rect{}{round}{}/>", box_of(*area), painted(*paint))
        }
        Mark::Circle { x, y, radius, paint } => write!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>",
            number(*x),
            number(*y),
            number(*radius),
            painted(*paint)
        ),
        Mark::Polygon { points, paint } => {
            write!(out, "<polygon points=\"{}\"{}/>", listed(points), painted(*paint))
        }
        Mark::Line { points, color, width } => write!(
            out,
            "<polyline points=\"{}\"{} stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
            listed(points),
            painted(Paint::stroke(*color, *width))
        ),
        Mark::Text(text) => write_text(out, text),
        Mark::Image { area, image } => write_image(out, *area, image),
    };
}

/// The reader's font may be wider than ours: `textLength` keeps every text
/// inside the place that was measured for it.
fn write_text(out: &mut String, text: &Text) -> std::fmt::Result {
    let anchor = match text.anchor {
        Anchor::Start => "",
        Anchor::Middle => " text-anchor=\"middle\"",
        Anchor::End => " text-anchor=\"end\"",
    };
    let weight = match text.weight {
        super::Weight::Regular => "",
        super::Weight::Bold => " font-weight=\"bold\"",
    };
    write!(
        out,
        "<text x=\"{}\" y=\"{}\" font-size=\"{}\"{weight}{anchor} fill=\"{}\" \
         textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\">{}</text>",
        number(text.x),
        number(text.y),
        number(text.size),
        hex(text.color),
        number(text.width()),
        escaped(&text.content)
    )
}

fn write_image(out: &mut String, area: Area, image: &GreyImage) -> std::fmt::Result {
    // Enlarged pixels stay square; a reduced image is better smoothed.
    let sharp = area.width >= image.width() as f32;
    let style = if sharp { " style=\"image-rendering:pixelated\"" } else { "" };
    write!(
        out,
        "<image{} preserveAspectRatio=\"none\"{style} href=\"data:image/png;base64,{}\"/>",
        box_of(area),
        base64(&png::grey(image.width(), image.height(), image.pixels()))
    )
}

fn box_of(area: Area) -> String {
    format!(
        " x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"",
        number(area.x),
        number(area.y),
        number(area.width),
        number(area.height)
    )
}

fn painted(paint: Paint) -> String {
    let fill = paint.fill.map_or_else(|| "none".to_owned(), hex);
    let stroke = paint.stroke.map_or_else(String::new, |(color, width)| {
        format!(" stroke=\"{}\" stroke-width=\"{}\"", hex(color), number(width))
    });
    format!(" fill=\"{fill}\"{stroke}")
}

fn listed(points: &[(f32, f32)]) -> String {
    let points: Vec<String> =
        points.iter().map(|&(x, y)| format!("{},{}", number(x), number(y))).collect();
    points.join(" ")
}

fn hex(color: Rgb) -> String {
    format!("#{:02x}{:02x}{:02x}", color.0, color.1, color.2)
}

/// Two decimals at most, and never `-0`.
fn number(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Text that stands in XML as it is meant; what XML cannot hold at all becomes
/// the replacement character.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(letter),
        }
    }
    out
}

/// Bytes as text, as addresses and XML carry them.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().enumerate().fold(0, |w, (i, &b)| w | u32::from(b) << (16 - 8 * i));
        for digit in 0..4 {
            let sixth = (word >> (18 - 6 * digit)) & 63;
            out.push(if digit <= three.len() { char::from(DIGITS[sixth as usize]) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Weight;

    fn saying(words: &str) -> Picture {
        let mut picture = Picture::new(100.0, 50.0);
        picture.title = words.to_owned();
        picture.description = words.to_owned();
        picture.text(Text {
            content: words.to_owned(),
            x: 1.0,
            y: 20.0,
            size: 12.0,
            weight: Weight::Regular,
            anchor: Anchor::Start,
            color: Rgb::grey(0),
        });
        picture
    }

    proptest! {
        #[test]
        fn whatever_a_text_says_the_document_is_xml(words in "\\PC{1,40}|[\\x00-\\x7f]{1,40}") {
            let svg = saying(&words).svg();
            prop_assert!(roxmltree::Document::parse(&svg).is_ok(), "{}", svg);
        }
    }

    #[test]
    fn markup_in_a_text_stays_text() {
        let words = "<script>alert(\"1\")</script> & 'more' ]]>";
        let svg = saying(words).svg();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let tags: Vec<_> = document
            .descendants()
            .filter(|n| n.is_element())
            .map(|n| n.tag_name().name())
            .collect();
        assert_eq!(tags, ["svg", "title", "desc", "text"]);
        assert!(document.descendants().filter(|n| n.is_text()).any(|n| n.text() == Some(words)));
    }

    #[test]
    fn base64_agrees_with_its_standard() {
        for (plain, coded) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (-0.001, "0"), (1.5, "1.5"), (100.0, "100"), (-2.126, "-2.13")]
        {
            assert_eq!(number(value), text);
        }
    }
}
