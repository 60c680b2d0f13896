//! Items for the programs that present them: jsPsych, PsychoPy, Moodle.

mod jspsych;
mod moodle;
mod psychopy;

pub use jspsych::jspsych;
pub use moodle::moodle;
pub use psychopy::psychopy;

use super::Item;
use crate::{Board, DrawError, Notes, Picture, puzzle};

/// A file that an export consists of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Its name, without folders.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

impl File {
    /// A file of this name.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { name: name.into(), bytes: bytes.into() }
    }
}

/// Pixels per unit of a drawing: sharp on dense screens.
const SCALE: f32 = 2.0;

impl Item {
    /// Question and choices, without title, key or rules: what a person is shown.
    pub fn picture(&self) -> Picture {
        let notes = Notes { title: self.name.clone(), ..Notes::default() };
        puzzle(&self.board, &notes)
    }

    /// The question alone.
    fn question_picture(&self) -> Picture {
        let board = Board { choices: Vec::new(), ..self.board.clone() };
        puzzle(&board, &Notes::default())
    }

    /// The keys on which a person answers: `1` to the number of choices.
    fn response_keys(&self) -> Vec<String> {
        (1..=self.board.choices.len()).map(|choice| choice.to_string()).collect()
    }
}

/// Each item as a file that a vector program opens.
pub fn svg(items: &[Item]) -> Vec<File> {
    let file = |(index, item): (usize, &Item)| {
        File::new(format!("item_{}.svg", index + 1), item.picture().svg())
    };
    items.iter().enumerate().map(file).collect()
}

/// Each item as a picture.
///
/// # Errors
/// When a picture is too large to be drawn.
pub fn png(items: &[Item]) -> Result<Vec<File>, DrawError> {
    let file = |(index, item): (usize, &Item)| {
        Ok(File::new(format!("item_{}.png", index + 1), item.picture().png(SCALE)?))
    };
    items.iter().enumerate().map(file).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use genvp_puzzle::family::{PuzzleSpec, families};
    use serde_json::Value;

    use super::*;
    use crate::item::ItemSource;

    /// Two items of every family.
    fn items() -> Vec<Item> {
        let mut items = Vec::new();
        for family in families() {
            let stratum = family.strata()[1];
            let generator = family.generator(&PuzzleSpec::new(stratum)).unwrap();
            for index in 0..2 {
                let puzzle = Arc::from(generator.puzzle(5, index).unwrap());
                let name = format!("Item {} & <more>", items.len() + 1);
                items.extend(Item::new(name, puzzle, ItemSource::Engine, (5, index)));
            }
        }
        assert_eq!(items.len(), 6);
        items
    }

    fn text(file: &File) -> &str {
        std::str::from_utf8(&file.bytes).unwrap()
    }

    #[test]
    fn moodle_gets_one_right_answer_and_a_picture_for_each_item() {
        let items = items();
        let file = moodle(&items).unwrap();
        let document = roxmltree::Document::parse(text(&file)).unwrap();
        let all = |node: roxmltree::Node<'_, '_>, tag: &str| {
            node.descendants().filter(|n| n.has_tag_name(tag)).map(|n| n.id()).collect::<Vec<_>>()
        };
        let questions = all(document.root(), "question");
        assert_eq!(questions.len(), items.len());
        for (question, item) in questions.iter().zip(&items) {
            let question = document.get_node(*question).unwrap();
            let answers = all(question, "answer");
            assert_eq!(answers.len(), item.board.choices.len());
            for (choice, answer) in answers.iter().enumerate() {
                let fraction = document.get_node(*answer).unwrap().attribute("fraction");
                let wanted = if choice == item.puzzle.target() { "100" } else { "0" };
                assert_eq!(fraction, Some(wanted), "{}", item.name);
            }
            let picture = document.get_node(all(question, "file")[0]).unwrap();
            assert!(picture.text().unwrap().starts_with("iVBORw0KGgo"), "a PNG in base 64");
            let name = document.get_node(all(question, "name")[0]).unwrap();
            assert_eq!(name.first_element_child().unwrap().text(), Some(item.name.as_str()));
            // The text is HTML inside XML: what is escaped twice is plain for the reader.
            let html = document.get_node(all(question, "questiontext")[0]).unwrap();
            let html = html.first_element_child().unwrap().text().unwrap();
            assert!(
                html.contains(&format!("@@PLUGINFILE@@/{}", picture.attribute("name").unwrap()))
            );
        }
    }

    #[test]
    fn jspsych_gets_variables_that_say_what_is_right() {
        let items = items();
        let [script, page] = &jspsych(&items)[..] else { panic!("a script and a page") };
        assert!(text(page).contains(&script.name));
        assert!(!text(script).contains("</script"), "nothing that ends a script");
        let from = text(script).find("const genvpItems = ").unwrap() + "const genvpItems = ".len();
        let until = text(script).find(";\n\nfunction").unwrap();
        let variables: Vec<Value> = serde_json::from_str(&text(script)[from..until]).unwrap();
        assert_eq!(variables.len(), items.len());
        for (variable, item) in variables.iter().zip(&items) {
            let right = (item.puzzle.target() + 1).to_string();
            assert_eq!(variable["correct_response"], right.as_str());
            assert_eq!(variable["choices"].as_array().unwrap().len(), item.board.choices.len());
            let stimulus = variable["stimulus"].as_str().unwrap();
            assert!(stimulus.starts_with("<img src=\"data:image/svg+xml;base64,"), "{stimulus}");
        }
    }

    #[test]
    fn psychopy_gets_conditions_and_every_picture_that_they_name() {
        let items = items();
        let files = psychopy(&items).unwrap();
        let lines: Vec<&str> = text(&files[0]).lines().collect();
        assert_eq!((files[0].name.as_str(), lines.len()), ("conditions.csv", items.len() + 1));
        assert!(lines[0].starts_with("item,image,question,corrAns,keys,choice_1"), "{}", lines[0]);
        for (line, item) in lines[1..].iter().zip(&items) {
            assert!(line.contains(&format!(",{},", item.puzzle.target() + 1)), "{line}");
            let named = line.split(',').filter(|cell| cell.ends_with(".png"));
            let named: Vec<&str> = named.collect();
            assert_eq!(named.len(), 2 + item.board.choices.len(), "{line}");
            for name in named {
                let file = files.iter().find(|file| file.name == name).unwrap();
                assert!(file.bytes.starts_with(b"\x89PNG"), "{name}");
            }
        }
    }

    #[test]
    fn single_files_are_numbered() {
        let items = items();
        let names = |files: Vec<File>| files.into_iter().map(|f| f.name).collect::<Vec<_>>();
        assert_eq!(names(svg(&items))[5], "item_6.svg");
        assert_eq!(names(png(&items[..1]).unwrap()), ["item_1.png"]);
    }
}
