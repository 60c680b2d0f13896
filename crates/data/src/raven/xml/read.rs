//! Reading a puzzle's xml into a scene.

use std::path::Path;

use arrayvec::ArrayVec;
use genvp_puzzle::{
    Attribute, Change, Component, ComponentKind, Domain, Entity, Layout, Panel, Row, RuleKind,
    RuleMatrix,
};
use roxmltree::{Document, Node, ParsingOptions};

use super::guard;
use crate::error::InFile;
use crate::file::read_bounded;
use crate::{Changes, DataError, FormatError, PANELS, Scene, limits};

/// Reads an xml file. Levels mean what `domain` says.
pub fn read(path: &Path, domain: Domain) -> Result<Scene, DataError> {
    let bytes = read_bounded(path, "puzzle's xml", limits::XML_BYTES)?;
    parse(&bytes, domain).in_file(path)
}

/// Reads the bytes of an xml file. Masks and true boxes are passed over: they
/// follow from the levels.
pub fn parse(bytes: &[u8], domain: Domain) -> Result<Scene, FormatError> {
    if bytes.len() as u64 > limits::XML_BYTES {
        return Err(FormatError::FileTooLarge {
            what: "puzzle's xml",
            found: bytes.len() as u64,
            limit: limits::XML_BYTES,
        });
    }
    let text =
        std::str::from_utf8(bytes).map_err(|e| FormatError::NotUtf8 { at: e.valid_up_to() })?;
    guard::check(text)?;
    let options =
        ParsingOptions { allow_dtd: false, nodes_limit: limits::XML_NODES, ..Default::default() };
    let document = Document::parse_with_options(text, options)
        .map_err(|e| FormatError::NotXml { what: e.to_string() })?;
    let reader = Reader { document: &document, domain };
    reader.scene()
}

type Xml<'a, 'b> = Node<'a, 'b>;

struct Reader<'a> {
    document: &'a Document<'a>,
    domain: Domain,
}

impl<'a> Reader<'a> {
    fn format_error(
        &self,
        node: Xml<'_, '_>,
        what: &'static str,
        found: impl Into<String>,
        wanted: impl Into<String>,
    ) -> FormatError {
        let at = self.document.text_pos_at(node.range().start);
        let found: String = found.into();
        FormatError::Scene {
            line: at.row,
            column: at.col,
            what,
            // A mask of megabytes would bury the message.
            found: if found.is_empty() {
                "nothing".into()
            } else {
                found.chars().take(80).collect()
            },
            wanted: wanted.into(),
        }
    }

    fn children(node: Xml<'a, 'a>, name: &'static str) -> impl Iterator<Item = Xml<'a, 'a>> {
        node.children().filter(move |n| n.has_tag_name(name))
    }

    fn child(&self, node: Xml<'a, 'a>, name: &'static str) -> Result<Xml<'a, 'a>, FormatError> {
        Self::children(node, name)
            .next()
            .ok_or_else(|| self.format_error(node, "element", "no such child", format!("<{name}>")))
    }

    fn attribute(&self, node: Xml<'a, 'a>, name: &'static str) -> Result<&'a str, FormatError> {
        node.attribute(name)
            .ok_or_else(|| self.format_error(node, "attribute", "no such one", name))
    }

    fn level(
        &self,
        node: Xml<'a, 'a>,
        name: &'static str,
        lo: u8,
        hi: usize,
    ) -> Result<u8, FormatError> {
        let text = self.attribute(node, name)?;
        text.parse().ok().filter(|&level: &u8| level >= lo && usize::from(level) <= hi).ok_or_else(
            || self.format_error(node, name, text, format!("a level from {lo} to {hi}")),
        )
    }

    fn scene(&self) -> Result<Scene, FormatError> {
        let data = self.document.root_element();
        let panels = self.child(data, "Panels")?;
        let nodes: Vec<_> = Self::children(panels, "Panel").collect();
        if nodes.len() != PANELS {
            return Err(self.format_error(panels, "Panels", nodes.len().to_string(), "16 panels"));
        }
        let layout = self.layout(nodes[0])?;
        let mut uniformity = [0; 2];
        let mut read: ArrayVec<Panel, PANELS> = ArrayVec::new();
        for (index, &node) in nodes.iter().enumerate() {
            let (panel, levels) = self.panel(node, layout)?;
            if index == 0 {
                uniformity = levels;
            }
            read.push(panel);
        }
        Ok(Scene {
            layout,
            domain: self.domain,
            uniformity,
            panels: read.into_inner().expect("sixteen were counted"),
            rules: self.rules(self.child(data, "Rules")?, layout)?,
            changes: Self::children(data, "Modified_attributes")
                .next()
                .map(|node| self.changes(node, layout))
                .transpose()?,
        })
    }

    /// The layout is told by the names of the structure and of its components.
    fn layout(&self, panel: Xml<'a, 'a>) -> Result<Layout, FormatError> {
        let structure = self.child(panel, "Struct")?;
        let name = self.attribute(structure, "name")?;
        let mut names = Vec::new();
        for component in Self::children(structure, "Component").take(3) {
            names.push(self.attribute(self.child(component, "Layout")?, "name")?);
        }
        Layout::ALL
            .into_iter()
            .find(|layout| {
                layout.structure_name() == name
                    && layout.components().iter().map(|p| p.layout_name()).eq(names.iter().copied())
            })
            .ok_or_else(|| {
                let found = format!("{name} of {}", names.join(" and "));
                self.format_error(structure, "Struct", found, "one of the seven layouts")
            })
    }

    fn panel(&self, node: Xml<'a, 'a>, layout: Layout) -> Result<(Panel, [u8; 2]), FormatError> {
        if self.layout(node)? != layout {
            return Err(self.format_error(node, "Panel", "another layout", layout.folder()));
        }
        let mut panel = Panel::default();
        let mut uniformity = [0; 2];
        let components = Self::children(self.child(node, "Struct")?, "Component");
        for (id, (component, &kind)) in components.zip(layout.components()).enumerate() {
            let node = self.child(component, "Layout")?;
            uniformity[id] = self.level(node, "Uniformity", 0, 3)?;
            panel.components.push(self.component(node, kind)?);
        }
        Ok((panel, uniformity))
    }

    fn component(&self, node: Xml<'a, 'a>, kind: ComponentKind) -> Result<Component, FormatError> {
        let number = self.level(node, "Number", 0, kind.slot_count() - 1)?;
        let mut component = Component::default();
        for child in Self::children(node, "Entity") {
            let entity = self.entity(child, kind)?;
            if component.mask() >> entity.slot & 1 == 1 {
                return Err(self.format_error(
                    child,
                    "bbox",
                    "a slot taken already",
                    "a slot of its own",
                ));
            }
            component.entities.push(entity);
        }
        if component.entities.len() != usize::from(number) + 1 {
            let found = component.entities.len().to_string();
            return Err(self.format_error(
                node,
                "Entity",
                found,
                format!("{} of them", number + 1),
            ));
        }
        Ok(component)
    }

    fn entity(&self, node: Xml<'a, 'a>, kind: ComponentKind) -> Result<Entity, FormatError> {
        let bbox = self.attribute(node, "bbox")?;
        let slot = slot_of(bbox, kind).ok_or_else(|| {
            self.format_error(node, "bbox", bbox, format!("a slot of {}", kind.layout_name()))
        })?;
        Ok(Entity {
            slot,
            shape: self.level(node, "Type", 1, 5)?,
            size: self.level(node, "Size", 0, self.domain.sizes().len() - 1)?,
            color: self.level(node, "Color", 0, self.domain.colors().len() - 1)?,
            angle: self.level(node, "Angle", 0, self.domain.angles().len() - 1)?,
        })
    }

    fn rules(&self, node: Xml<'a, 'a>, layout: Layout) -> Result<RuleMatrix, FormatError> {
        let mut rules = RuleMatrix::from_columns(&[0; 12]);
        let groups: Vec<_> = Self::children(node, "Rule_Group").take(3).collect();
        let components = layout.components().len();
        if groups.len() != components {
            let found = groups.len().to_string();
            return Err(self.format_error(node, "Rule_Group", found, format!("{components}")));
        }
        for (component, group) in groups.into_iter().enumerate() {
            for rule in Self::children(group, "Rule") {
                let attr = self.attribute(rule, "attr")?;
                let name = self.attribute(rule, "name")?;
                let attribute = Attribute::parse(attr)
                    .ok_or_else(|| self.format_error(rule, "attr", attr, "an attribute"))?;
                let kind = RuleKind::parse(name)
                    .ok_or_else(|| self.format_error(rule, "name", name, "a rule"))?;
                if rules.stated(component, attribute.group()).is_some() {
                    return Err(self.format_error(rule, "Rule", attr, "one rule for each group"));
                }
                rules.set(component, attribute, Row::Rule(kind, None));
            }
        }
        Ok(rules)
    }

    fn changes(&self, node: Xml<'a, 'a>, layout: Layout) -> Result<Changes, FormatError> {
        let mut changes: Changes = Default::default();
        for candidate in Self::children(node, "Candidate") {
            let id = self.level(candidate, "id", 0, 7)?;
            for child in Self::children(candidate, "Attribute") {
                let component =
                    self.level(child, "component_id", 0, layout.components().len() - 1)?;
                let name = self.attribute(child, "name")?;
                let attribute = Attribute::parse(name)
                    .ok_or_else(|| self.format_error(child, "name", name, "an attribute"))?;
                changes[usize::from(id)].try_push(Change { component, attribute }).map_err(
                    |_| self.format_error(child, "Attribute", "nine", "at most eight changes"),
                )?;
            }
        }
        Ok(changes)
    }
}

/// The slot whose box is written as `[y, x, height, width]`.
fn slot_of(text: &str, kind: ComponentKind) -> Option<u8> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut numbers = inside.split(',').map(|n| n.trim().parse::<f64>());
    let bbox = [numbers.next()?.ok()?, numbers.next()?.ok()?, numbers.next()?.ok()?];
    let close = |a: f64, b: f64| (a - b).abs() < 1e-3;
    let slots = kind.slots();
    let index = slots
        .iter()
        .position(|s| close(s.y, bbox[0]) && close(s.x, bbox[1]) && close(s.side, bbox[2]))?;
    Some(index as u8)
}
