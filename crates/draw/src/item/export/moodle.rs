//! Questions for Moodle's question bank.

use std::fmt::Write;

use super::{File, SCALE};
use crate::item::Item;
use crate::svg::escaped;
use crate::{DrawError, base64};

/// One file of multiple-choice questions with their pictures inside. Choices keep their order;
/// the feedback of a wrong one says which rules it breaks.
///
/// # Errors
/// When a picture is too large to be drawn.
pub fn moodle(items: &[Item]) -> Result<File, DrawError> {
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<quiz>\n".to_owned();
    for (index, item) in items.iter().enumerate() {
        question(&mut xml, index, item)?;
    }
    xml += "</quiz>\n";
    Ok(File::new("moodle.xml", xml))
}

fn question(xml: &mut String, index: usize, item: &Item) -> Result<(), DrawError> {
    let picture = format!("item_{}.png", index + 1);
    let html = format!(
        "<p>Which one completes the pattern?</p><p><img src=\"@@PLUGINFILE@@/{picture}\" alt=\"{}\" width=\"480\"></p>",
        escaped(&item.alt_text())
    );
    let about = format!(
        "Rules: {}. Made by genvp: {} {}, seed {}, number {}.",
        item.rules(),
        item.puzzle.stratum().set,
        item.kind(),
        item.seed,
        item.index
    );
    // Writing to a String cannot fail.
    let _ = write!(
        xml,
        "<question type=\"multichoice\">\n\
         <name><text>{}</text></name>\n\
         <questiontext format=\"html\"><text>{}</text>\n\
         <file name=\"{picture}\" path=\"/\" encoding=\"base64\">{}</file></questiontext>\n\
         <generalfeedback format=\"html\"><text>{}</text></generalfeedback>\n\
         <defaultgrade>1</defaultgrade>\n<penalty>0.3333333</penalty>\n<hidden>0</hidden>\n\
         <single>true</single>\n<shuffleanswers>false</shuffleanswers>\n\
         <answernumbering>none</answernumbering>\n",
        escaped(&item.name),
        escaped(&html),
        base64(&item.picture().png(SCALE)?),
        escaped(&escaped(&about)),
    );
    for (choice, broken) in item.broken().iter().enumerate() {
        let right = choice == item.puzzle.target();
        let fraction = if right { 100 } else { 0 };
        let feedback = if right { "Every rule holds.".to_owned() } else { broken.join("; ") };
        let _ = writeln!(
            xml,
            "<answer fraction=\"{fraction}\" format=\"html\"><text>{}</text>\
             <feedback format=\"html\"><text>{}</text></feedback></answer>",
            choice + 1,
            escaped(&escaped(&feedback)),
        );
    }
    xml.push_str("</question>\n");
    Ok(())
}
