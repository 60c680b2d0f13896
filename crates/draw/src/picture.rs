//! The display list that every drawing becomes before it is SVG or pixels.

use super::font::{self, Weight};
use super::image::GreyImage;

/// An opaque color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// A grey of this value; 255 is white.
    pub const fn grey(value: u8) -> Self {
        Self(value, value, value)
    }

    /// The color `t` of the way (0 to 1) from `self` to `other`.
    pub fn mix(self, other: Self, t: f32) -> Self {
        let t = t.clamp(0.0, 1.0);
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * t).round() as u8;
        Self(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }

    /// Perceived lightness, 0 to 255.
    pub fn luma(self) -> u8 {
        let [r, g, b] = [self.0, self.1, self.2].map(u32::from);
        ((r * 299 + g * 587 + b * 114 + 500) / 1000) as u8
    }
}

/// How a shape is painted.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Paint {
    /// Color of the inside; nothing if `None`.
    pub fill: Option<Rgb>,
    /// Color and width of the outline; nothing if `None`.
    pub stroke: Option<(Rgb, f32)>,
}

impl Paint {
    /// Only the inside.
    pub fn fill(color: Rgb) -> Self {
        Self { fill: Some(color), stroke: None }
    }

    /// Only the outline.
    pub fn stroke(color: Rgb, width: f32) -> Self {
        Self { fill: None, stroke: Some((color, width)) }
    }
}

/// An upright rectangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl Area {
    /// The rectangle with this corner and size.
    pub fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// The rectangle that is larger by `by` on every side.
    pub fn grown(self, by: f32) -> Self {
        Self::new(self.x - by, self.y - by, self.width + 2.0 * by, self.height + 2.0 * by)
    }
}

/// Which point of a text its position names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The left end.
    Start,
    /// The middle.
    Middle,
    /// The right end.
    End,
}

/// One line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// What it says.
    pub content: String,
    /// Horizontal position of the anchor.
    pub x: f32,
    /// Vertical position of the baseline.
    pub y: f32,
    /// Font size.
    pub size: f32,
    /// Regular or bold.
    pub weight: Weight,
    /// Which point of the text stands at `x`.
    pub anchor: Anchor,
    /// Color.
    pub color: Rgb,
}

impl Text {
    /// The left end of the text.
    pub fn left(&self) -> f32 {
        let width = self.width();
        match self.anchor {
            Anchor::Start => self.x,
            Anchor::Middle => self.x - width / 2.0,
            Anchor::End => self.x - width,
        }
    }

    /// How wide the text is.
    pub fn width(&self) -> f32 {
        font::width(&self.content, self.size, self.weight)
    }
}

/// One thing that is drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A rectangle, with rounded corners if the radius is not 0. Those with
    /// square corners fall on whole pixels, so thin lines and frames stay crisp.
    Rect {
        /// Where it is.
        area: Area,
        /// Radius of the corners.
        radius: f32,
        /// How it is painted.
        paint: Paint,
    },
    /// A circle.
    Circle {
        /// Horizontal centre.
        x: f32,
        /// Vertical centre.
        y: f32,
        /// Radius.
        radius: f32,
        /// How it is painted.
        paint: Paint,
    },
    /// A closed polygon.
    Polygon {
        /// Its corners.
        points: Vec<(f32, f32)>,
        /// How it is painted.
        paint: Paint,
    },
    /// An open line through points, with round ends.
    Line {
        /// The points.
        points: Vec<(f32, f32)>,
        /// Its color.
        color: Rgb,
        /// Its width.
        width: f32,
    },
    /// A line of text.
    Text(Text),
    /// A grey image, its pixels kept square and sharp.
    Image {
        /// Where it is.
        area: Area,
        /// What it shows.
        image: GreyImage,
    },
}

/// A drawing in user units, y pointing down, with words for those who cannot
/// see it. [`svg`](Picture::svg) and [`png`](Picture::png) make files of it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Picture {
    /// Width in user units.
    pub width: f32,
    /// Height in user units.
    pub height: f32,
    /// A short name.
    pub title: String,
    /// What it shows, in plain words.
    pub description: String,
    /// What is drawn, from back to front.
    pub marks: Vec<Mark>,
}

impl Picture {
    /// An empty picture.
    pub fn new(width: f32, height: f32) -> Self {
        Self { width, height, ..Self::default() }
    }

    /// Paints the whole picture behind everything that is there.
    pub fn background(&mut self, color: Rgb) {
        let area = Area::new(0.0, 0.0, self.width, self.height);
        self.marks.insert(0, Mark::Rect { area, radius: 0.0, paint: Paint::fill(color) });
    }

    /// Paints a rectangle.
    pub fn rect(&mut self, area: Area, color: Rgb) {
        self.marks.push(Mark::Rect { area, radius: 0.0, paint: Paint::fill(color) });
    }

    /// Paints a rectangle with rounded corners.
    pub fn rounded(&mut self, area: Area, radius: f32, paint: Paint) {
        self.marks.push(Mark::Rect { area, radius, paint });
    }

    /// Writes a line of text.
    pub fn text(&mut self, text: Text) {
        if !text.content.is_empty() {
            self.marks.push(Mark::Text(text));
        }
    }

    /// Copies another picture into this one, at `(x, y)` and `scale` times as
    /// large.
    pub fn place(&mut self, other: &Self, x: f32, y: f32, scale: f32) {
        self.marks.extend(other.marks.iter().map(|mark| mark.moved(x, y, scale)));
    }
}

impl Paint {
    fn scaled(self, scale: f32) -> Self {
        Self { fill: self.fill, stroke: self.stroke.map(|(color, width)| (color, width * scale)) }
    }
}

impl Mark {
    /// The same mark `scale` times as large, then moved by `(dx, dy)`.
    fn moved(&self, dx: f32, dy: f32, scale: f32) -> Self {
        let point = |(x, y): (f32, f32)| (dx + x * scale, dy + y * scale);
        let area = |a: Area| {
            let (x, y) = point((a.x, a.y));
            Area::new(x, y, a.width * scale, a.height * scale)
        };
        match self {
            Self::Rect { area: at, radius, paint } => {
                Self::Rect { area: area(*at), radius: radius * scale, paint: paint.scaled(scale) }
            }
            Self::Circle { x, y, radius, paint } => {
                let (x, y) = point((*x, *y));
                Self::Circle { x, y, radius: radius * scale, paint: paint.scaled(scale) }
            }
            Self::Polygon { points, paint } => Self::Polygon {
                points: points.iter().copied().map(point).collect(),
                paint: paint.scaled(scale),
            },
            Self::Line { points, color, width } => Self::Line {
                points: points.iter().copied().map(point).collect(),
                color: *color,
                width: width * scale,
            },
            Self::Text(text) => {
                let (x, y) = point((text.x, text.y));
                Self::Text(Text { x, y, size: text.size * scale, ..text.clone() })
            }
            Self::Image { area: at, image } => {
                Self::Image { area: area(*at), image: image.clone() }
            }
        }
    }
}
