//! How many panels, choices and rules a puzzle of RAVEN has, also as sizes of arrays.

use super::RuleMatrix;
use crate::family::Form;

/// Three rows of three panels, and eight choices for the last of them.
pub const FORM: Form = Form { rows: 3, columns: 3, choices: 8 };

/// Something of each panel of a completed matrix, row by row.
pub type Grid<T> = [T; FORM.panels()];

/// Something of each choice.
pub type Choices<T> = [T; FORM.choices];

/// Something of each row of the rule matrix.
pub type RuleRows<T> = [T; RuleMatrix::ATTRIBUTES];
