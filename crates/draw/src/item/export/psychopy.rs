//! A table of conditions for PsychoPy, and the pictures that it names.

use super::{File, SCALE};
use crate::DrawError;
use crate::item::{Item, csv_cell};

/// `conditions.csv` and its pictures: the whole item, the question alone, and every choice.
/// `corrAns` is the key of the right choice, from 1 on.
///
/// # Errors
/// When a picture is too large to be drawn.
pub fn psychopy(items: &[Item]) -> Result<Vec<File>, DrawError> {
    let most = items.iter().map(|item| item.board.choices.len()).max().unwrap_or(0);
    let mut head: Vec<String> =
        ["item", "image", "question", "corrAns", "keys"].map(str::to_owned).to_vec();
    head.extend((1..=most).map(|choice| format!("choice_{choice}")));
    head.extend(["rules", "set", "kind", "seed", "index"].map(str::to_owned));
    let mut table = head.join(",") + "\n";
    let mut files = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let stem = format!("item_{}", index + 1);
        let mut picture = |name: String, picture: &crate::Picture| -> Result<String, DrawError> {
            files.push(File::new(name.clone(), picture.png(SCALE)?));
            Ok(name)
        };
        let keys = item.response_keys();
        let mut cells = vec![
            item.name.clone(),
            picture(format!("{stem}.png"), &item.picture())?,
            picture(format!("{stem}_question.png"), &item.question_picture())?,
            keys.get(item.puzzle.target()).cloned().unwrap_or_default(),
            format!("[{}]", keys.iter().map(|k| format!("'{k}'")).collect::<Vec<_>>().join(",")),
        ];
        for choice in 0..most {
            cells.push(match item.board.choices.get(choice) {
                Some(panel) => {
                    let mut panel = panel.clone();
                    panel.background(crate::Rgb::grey(255));
                    picture(format!("{stem}_choice_{}.png", choice + 1), &panel)?
                }
                None => String::new(),
            });
        }
        cells.extend([
            item.rules(),
            item.puzzle.stratum().set.to_owned(),
            item.kind().to_owned(),
            item.seed.to_string(),
            item.index.to_string(),
        ]);
        table += &cells.iter().map(|cell| csv_cell(cell)).collect::<Vec<_>>().join(",");
        table.push('\n');
    }
    files.insert(0, File::new("conditions.csv", table));
    Ok(files)
}
