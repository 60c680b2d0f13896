//! PGM behind the seam of all families.

use super::exact::{Exact, Solver};
use super::{Maker, Puzzle, Regime, Request, audit, broken};
use crate::family::{
    AnyPuzzle, Audit, Axis, ExactSolution, Explanation, Facts, Family, FamilyError, Form,
    Generator, PuzzleSpec, RuleLabels, RuleSpace, SetInfo, Sheet, Split, Stratum, Truth,
};
use crate::relations::read::confidence;
use crate::relations::{
    Attribute, Broken, BySide, Panel, RULES, SpecError, check_form, key, label, majority_vote,
    object_counts, parse_rules, refuse_raven_options, render,
};

/// Procedurally generated matrices.
pub struct Pgm;

const ID: &str = "pgm";
const FORM: Form = Form { rows: 3, columns: 3, choices: 8 };

impl Pgm {
    /// What averages over a regime are called.
    pub fn stratum(regime: Regime) -> Stratum {
        Stratum { set: ID, name: regime.name() }
    }

    /// Reads and solves a puzzle of this form.
    pub(super) fn read(sheet: &Sheet) -> Result<Exact, FamilyError> {
        static SOLVERS: BySide<Solver> = BySide::new();
        check_form(ID, FORM, sheet)?;
        let panels = std::array::from_fn(|index| sheet.panel(index));
        Ok(SOLVERS.of(sheet.side, Solver::new).solve(&panels))
    }
}

impl Family for Pgm {
    fn id(&self) -> &'static str {
        ID
    }

    fn form(&self) -> Form {
        FORM
    }

    fn rule_space(&self) -> RuleSpace {
        RULES
    }

    fn sets(&self) -> &'static [SetInfo] {
        &[SetInfo { name: ID, about: "Relations along rows and columns, in eight regimes" }]
    }

    fn strata(&self) -> Vec<Stratum> {
        Regime::ALL.map(Self::stratum).to_vec()
    }

    fn rule_groups(&self, _: Stratum) -> Vec<Vec<String>> {
        Attribute::ALL.map(|attribute| vec![key(attribute)]).to_vec()
    }

    fn file_prefix(&self) -> &'static str {
        "PGM_"
    }

    fn generator(&self, spec: &PuzzleSpec) -> Result<Box<dyn Generator>, FamilyError> {
        refuse_raven_options(ID, spec)?;
        if spec.choices.is_some() {
            return Err(FamilyError::NoOption { family: ID, option: "--choices" });
        }
        let regime = Regime::parse(spec.stratum.name).ok_or_else(|| FamilyError::Unknown {
            family: ID,
            what: "regime",
            found: spec.stratum.name.to_owned(),
            known: Regime::ALL.map(Regime::name).join(", "),
        })?;
        let mut request = Request::new(regime, spec.split.unwrap_or(Split::Train));
        request.faithful = spec.faithful;
        for (row, triple, axis) in parse_rules(&spec.rules)? {
            if let Some(row) = row {
                return Err(SpecError::NotARule(format!("{row}.{triple}")).into());
            }
            request.structure.push((triple, axis));
        }
        Ok(Box::new(Maker::new(request)?))
    }

    fn solve(&self, sheet: &Sheet, explain: bool) -> Result<ExactSolution, FamilyError> {
        let exact = Self::read(sheet)?;
        let solution = &exact.solution;
        let rule = |r: &super::Reading| rule_text(r.governed);
        Ok(ExactSolution {
            answer: solution.answer,
            scores: solution.scores.to_vec(),
            chances: None,
            tied: solution.tied,
            rules: solution.readings.iter().map(rule).collect::<Vec<_>>().join(" "),
            read_as: None,
            confidence: Some(confidence(&exact.readings)),
            explanation: explain.then(|| Explanation {
                broken: (0..FORM.choices).map(|choice| in_words(&exact.broken(choice))).collect(),
                twins: (0..FORM.choices)
                    .filter(|&i| i != solution.answer)
                    .filter(|&i| exact.choices[i] == exact.choices[solution.answer])
                    .collect(),
            }),
        })
    }
}

fn in_words(broken: &[Broken]) -> Vec<String> {
    broken.iter().map(ToString::to_string).collect()
}

/// The text form: `shape.color=XOR:columns`.
fn rule_text(governed: super::Governed) -> String {
    let super::Governed { triple, axis } = governed;
    format!("{}={}:{axis}", key(triple.attribute), triple.relation)
}

impl Generator for Maker {
    fn puzzle(&self, seed: u64, index: u64) -> Result<Box<dyn AnyPuzzle>, FamilyError> {
        Ok(Box::new(Maker::puzzle(self, seed, index)?))
    }
}

impl Puzzle {
    fn panel(&self, index: usize) -> &Panel {
        self.context.get(index).unwrap_or_else(|| &self.choices[index - self.context.len()])
    }
}

impl AnyPuzzle for Puzzle {
    fn family(&self) -> &'static dyn Family {
        &Pgm
    }

    fn stratum(&self) -> Stratum {
        Pgm::stratum(self.regime)
    }

    fn target(&self) -> usize {
        usize::from(self.target)
    }

    fn draw_into(&self, panel: usize, out: &mut [u8]) {
        render::panel_into(self.panel(panel), out);
    }

    fn ink_into(&self, panel: usize, side: usize, out: &mut [f32]) {
        render::ink_into(self.panel(panel), side, out);
    }

    fn truth(&self) -> Truth {
        let keeping = |kept: u8| {
            let mut labels = [0; RULES.attributes.len()];
            for (i, governed) in self.structure.iter().enumerate() {
                if kept >> i & 1 == 1 {
                    label(&mut labels, governed.triple);
                }
            }
            RuleLabels::new(RULES, &labels)
        };
        let mut axes = vec![Axis::Rows; RULES.attributes.len()];
        for governed in &self.structure {
            axes[governed.triple.attribute.row()] = governed.axis;
        }
        Truth {
            rules: keeping(u8::MAX),
            choices: self.broken.iter().map(|broken| keeping(!broken)).collect(),
            axes,
            counted: Attribute::ALL.iter().map(|attribute| vec![attribute.row()]).collect(),
            vote: majority_vote(&self.choices),
        }
    }

    fn rules_text(&self) -> String {
        self.structure.iter().map(|&g| rule_text(g)).collect::<Vec<_>>().join(" ")
    }

    fn broken(&self) -> Vec<Vec<String>> {
        let of = |choice| in_words(&broken(&self.context, choice, &self.structure));
        self.choices.iter().map(of).collect()
    }

    fn audit(&self) -> Audit {
        let found = audit(self);
        let needed = |i: usize| found.broken.contains(&(1 << i));
        let mut rivals: Vec<usize> = found.accidents.iter().map(|(choice, _)| *choice).collect();
        rivals.dedup();
        rivals.retain(|&choice| choice != usize::from(self.target));
        Audit {
            untrue: found.failing.iter().map(ToString::to_string).collect(),
            right: found.right().collect(),
            twins: found.twins,
            vote: majority_vote(&self.choices),
            unneeded: (0..self.structure.len()).filter(|&i| !needed(i)).count(),
            rivals: rivals.len(),
        }
    }

    fn facts(&self) -> Facts {
        let panels = self.context.iter().chain([self.answer()]);
        let wrong = (0..FORM.choices).filter(|&choice| choice != usize::from(self.target));
        Facts {
            rules: self.structure.iter().map(|&g| rule_text(g)).collect(),
            objects: panels.flat_map(object_counts).collect(),
            uniform: Vec::new(),
            changes: wrong
                .map(|choice| {
                    self.broken_by(choice).map(|g| g.triple.attribute.to_string()).collect()
                })
                .collect(),
        }
    }
}
