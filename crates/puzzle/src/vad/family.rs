//! VAD behind the seam of all families.

use super::exact::{Exact, Solver};
use super::{Analogy, ChoiceKind, Maker, Puzzle, Regime, Request, audit, broken};
use crate::family::{
    AnyPuzzle, Audit, Axis, ExactSolution, Explanation, Facts, Family, FamilyError, Form,
    Generator, PuzzleSpec, RuleLabels, RuleSpace, SetInfo, Sheet, Split, Stratum, Truth,
};
use crate::relations::read::confidence;
use crate::relations::{
    Attribute, BySide, Panel, RULES, SpecError, Triple, check_form, key, label, majority_vote,
    object_counts, parse_rules, refuse_raven_options, render,
};

/// Visual analogies.
pub struct Vad;

const ID: &str = "vad";
const FORM: Form = Form { rows: 2, columns: 3, choices: 4 };

impl Vad {
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

impl Family for Vad {
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
        &[SetInfo { name: ID, about: "One relation in two domains, in five regimes" }]
    }

    fn strata(&self) -> Vec<Stratum> {
        Regime::ALL.map(Self::stratum).to_vec()
    }

    fn rule_groups(&self, _: Stratum) -> Vec<Vec<String>> {
        let of_row = |row: &str| Attribute::ALL.map(|a| format!("{row}.{}", key(a))).to_vec();
        vec![of_row("source"), of_row("target")]
    }

    fn file_prefix(&self) -> &'static str {
        "analogy_"
    }

    fn generator(&self, spec: &PuzzleSpec) -> Result<Box<dyn Generator>, FamilyError> {
        refuse_raven_options(ID, spec)?;
        let unknown = |what, found: &str, known: String| FamilyError::Unknown {
            family: ID,
            what,
            found: found.to_owned(),
            known,
        };
        let regime = Regime::parse(spec.stratum.name).ok_or_else(|| {
            unknown("regime", spec.stratum.name, Regime::ALL.map(Regime::name).join(", "))
        })?;
        let kind = match &spec.choices {
            None => ChoiceKind::Lbc,
            Some(name) => ChoiceKind::parse(name).ok_or_else(|| {
                unknown("kind of choices", name, ChoiceKind::ALL.map(ChoiceKind::name).join(", "))
            })?,
        };
        let mut request = Request::new(regime, spec.split.unwrap_or(Split::Train), kind);
        request.faithful = spec.faithful;
        request.analogy = parse_analogy(&spec.rules)?;
        Ok(Box::new(Maker::new(request)?))
    }

    fn solve(&self, sheet: &Sheet, explain: bool) -> Result<ExactSolution, FamilyError> {
        let exact = Self::read(sheet)?;
        let solution = &exact.solution;
        let in_words =
            |choice: usize| exact.broken(choice).iter().map(ToString::to_string).collect();
        Ok(ExactSolution {
            answer: solution.answer,
            scores: solution.scores.to_vec(),
            chances: None,
            tied: solution.tied,
            rules: solution.analogies.iter().map(|&a| rules_text(a)).collect::<Vec<_>>().join(" "),
            read_as: None,
            confidence: Some(confidence(&exact.readings)),
            explanation: explain.then(|| Explanation {
                broken: (0..FORM.choices).map(in_words).collect(),
                twins: (0..FORM.choices)
                    .filter(|&i| i != solution.answer)
                    .filter(|&i| exact.choices[i] == exact.choices[solution.answer])
                    .collect(),
            }),
        })
    }
}

/// The text form: `source.shape.color=XOR target.line.type=XOR`.
fn rules_text(analogy: Analogy) -> String {
    let half = |row: &str, Triple { attribute, relation }: Triple| {
        format!("{row}.{}={relation}", key(attribute))
    };
    let (source, target) = (analogy.source_triple(), analogy.target_triple());
    format!("{} {}", half("source", source), half("target", target))
}

fn parse_analogy(text: &str) -> Result<Option<Analogy>, SpecError> {
    let rules = parse_rules(text)?;
    if rules.is_empty() {
        return Ok(None);
    }
    let of =
        |row: &str| rules.iter().find(|(found, _, axis)| *found == Some(row) && axis.is_none());
    match (of("source"), of("target"), rules.len()) {
        (Some((_, source, _)), Some((_, target, _)), 2) if source.relation == target.relation => {
            let relation = source.relation;
            Ok(Some(Analogy { relation, source: source.attribute, target: target.attribute }))
        }
        _ => Err(SpecError::NotAnAnalogy(text.to_owned())),
    }
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

    fn labels(&self, holds: bool) -> RuleLabels {
        let mut labels = [0; RULES.attributes.len()];
        if holds {
            label(&mut labels, self.analogy.target_triple());
        }
        RuleLabels::new(RULES, &labels)
    }

    fn is_wrong(&self, choice: usize) -> bool {
        broken(&self.context, &self.choices[choice], self.analogy).is_some()
    }
}

impl AnyPuzzle for Puzzle {
    fn family(&self) -> &'static dyn Family {
        &Vad
    }

    fn stratum(&self) -> Stratum {
        Vad::stratum(self.regime)
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

    /// The rule of the target row, which is what files record.
    fn truth(&self) -> Truth {
        Truth {
            rules: self.labels(true),
            choices: (0..FORM.choices).map(|choice| self.labels(!self.is_wrong(choice))).collect(),
            axes: vec![Axis::Rows; RULES.attributes.len()],
            counted: Attribute::ALL.iter().map(|attribute| vec![attribute.row()]).collect(),
            vote: majority_vote(&self.choices),
        }
    }

    fn rules_text(&self) -> String {
        rules_text(self.analogy)
    }

    fn broken(&self) -> Vec<Vec<String>> {
        let of = |choice| broken(&self.context, choice, self.analogy);
        self.choices.iter().map(|c| of(c).iter().map(ToString::to_string).collect()).collect()
    }

    fn audit(&self) -> Audit {
        let found = audit(self);
        let mut rivals: Vec<usize> = found.others.iter().map(|(choice, _)| *choice).collect();
        rivals.dedup();
        rivals.retain(|&choice| choice != usize::from(self.target));
        Audit {
            untrue: (!found.holds).then(|| self.analogy.to_string()).into_iter().collect(),
            right: found.right,
            twins: found.twins,
            vote: majority_vote(&self.choices),
            unneeded: 0,
            rivals: rivals.len(),
        }
    }

    fn facts(&self) -> Facts {
        let panels = self.context.iter().chain([self.answer()]);
        let wrong = (0..FORM.choices).filter(|&choice| choice != usize::from(self.target));
        Facts {
            rules: self.rules_text().split(' ').map(str::to_owned).collect(),
            objects: panels.flat_map(object_counts).collect(),
            uniform: Vec::new(),
            changes: wrong.map(|_| vec![self.analogy.target.to_string()]).collect(),
        }
    }
}
