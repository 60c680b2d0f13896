//! The texts that are the same in every file: of an object but for its color,
//! and of a component's slots. Made once, they are most of every file.

use std::fmt::Write;
use std::sync::OnceLock;

use genvp_puzzle::render::annotate;
use genvp_puzzle::{ComponentKind, Domain, Entity, Slot};

const SLOTS: usize = 9;
const SHAPES: usize = 6;
const SIZES: usize = 8;
const ANGLES: usize = 8;
const EACH: usize = SLOTS * SHAPES * SIZES * ANGLES;

type Bank = Box<[OnceLock<Box<str>>]>;

/// One bank for each domain and kind of component, filled as objects occur.
static BANKS: [[OnceLock<Bank>; ComponentKind::ALL.len()]; Domain::ALL.len()] =
    [const { [const { OnceLock::new() }; ComponentKind::ALL.len()] }; Domain::ALL.len()];

/// The end of an object's element, from behind the value of its color.
pub(super) fn behind_color(kind: ComponentKind, entity: &Entity, domain: Domain) -> &'static str {
    let bank = BANKS[domain as usize][kind as usize]
        .get_or_init(|| (0..EACH).map(|_| OnceLock::new()).collect());
    let mut index = 0;
    for (level, count) in
        [(entity.slot, SLOTS), (entity.shape, SHAPES), (entity.size, SIZES), (entity.angle, ANGLES)]
    {
        assert!(usize::from(level) < count, "{entity:?} is no object of {kind:?}");
        index = index * count + usize::from(level);
    }
    bank[index].get_or_init(|| make(kind, entity, domain).into())
}

fn make(kind: ComponentKind, entity: &Entity, domain: Domain) -> String {
    let annotation = annotate(kind, entity, domain);
    let mut text = String::with_capacity(annotation.mask.len() + 128);
    put(&mut text, format_args!("\" Size=\"{}\" Type=\"{}\" bbox=\"", entity.size, entity.shape));
    put_slot(&mut text, &kind.slots()[usize::from(entity.slot)]);
    // The debug form of a float keeps the ".0" that Python's does.
    let [y, x, height, width] = annotation.real_bbox;
    put(
        &mut text,
        format_args!(
            "\" mask=\"{}\" real_bbox=\"[{y:?}, {x:?}, {height:?}, {width:?}]\" />",
            annotation.mask
        ),
    );
    text
}

/// The list of all slots of a component.
pub(super) fn slots(kind: ComponentKind) -> &'static str {
    static TEXTS: [OnceLock<Box<str>>; ComponentKind::ALL.len()] =
        [const { OnceLock::new() }; ComponentKind::ALL.len()];
    TEXTS[kind as usize].get_or_init(|| {
        let mut text = String::from("[");
        for (index, slot) in kind.slots().iter().enumerate() {
            text.push_str(if index == 0 { "" } else { ", " });
            put_slot(&mut text, slot);
        }
        text.push(']');
        text.into()
    })
}

/// Whole numbers stay whole: `[0.5, 0.5, 1, 1]`.
fn put_slot(text: &mut String, slot: &Slot) {
    let Slot { y, x, side } = slot;
    put(text, format_args!("[{y}, {x}, {side}, {side}]"));
}

pub(super) fn put(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("writing to a String cannot fail");
}
