//! VAD behind the seam of all families.

use super::exact::{Exact, Solver};
use super::{Analogy, ChoiceKind, Maker, Puzzle, Regime, Request, audit, broken, held_out_pairs};
use crate::family::{
    AnyPuzzle, Axis, ExactSolution, Family, FamilyError, Form, Generator, PuzzleSpec, RuleSpace,
    SetInfo, Sheet, Split, Stratum,
};
use crate::relations::{
    Answered, Attribute, Broken, BySide, Findings, Limit, Panel, RULES, Related, SpecError, Triple,
    check_form, codes, key, parse_rules, refuse_raven_options, unknown,
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

    /// The request that a specification stands for.
    ///
    /// # Errors
    /// When it names what VAD does not have.
    pub fn request(spec: &PuzzleSpec) -> Result<Request, FamilyError> {
        refuse_raven_options(ID, spec)?;
        let regime = Regime::parse(spec.stratum.name).ok_or_else(|| {
            unknown(ID, "regime", spec.stratum.name, &Regime::ALL.map(Regime::name))
        })?;
        let kind = match &spec.choices {
            None => ChoiceKind::Lbc,
            Some(name) => ChoiceKind::parse(name).ok_or_else(|| {
                unknown(ID, "kind of choices", name, &ChoiceKind::ALL.map(ChoiceKind::name))
            })?,
        };
        let mut request = Request::new(regime, spec.split.unwrap_or(Split::Train), kind);
        request.faithful = spec.faithful;
        request.analogy = parse_analogy(&spec.rules)?;
        Ok(request)
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

    fn code_width(&self) -> usize {
        codes::CODES
    }

    fn generator(&self, spec: &PuzzleSpec) -> Result<Box<dyn Generator>, FamilyError> {
        Ok(Box::new(Maker::new(Self::request(spec)?)?))
    }

    fn solve(&self, sheet: &Sheet, explain: bool) -> Result<ExactSolution, FamilyError> {
        let exact = Self::read(sheet)?;
        let solution = &exact.solution;
        let found = Answered {
            answer: solution.answer,
            scores: &solution.scores,
            tied: solution.tied,
            rules: solution.analogies.iter().flat_map(|&a| rule_texts(a)).collect(),
            readings: &exact.readings,
            choices: &exact.choices,
        };
        Ok(found.solution(explain, |choice| exact.broken(choice)))
    }
}

/// The text form: `source.shape.color=XOR target.line.type=XOR`.
fn rule_texts(analogy: Analogy) -> [String; 2] {
    let half = |row: &str, Triple { attribute, relation }: Triple| {
        format!("{row}.{}={relation}", key(attribute))
    };
    let (source, target) = (analogy.source_triple(), analogy.target_triple());
    [half("source", source), half("target", target)]
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

impl Related for Puzzle {
    fn family(&self) -> &'static dyn Family {
        &Vad
    }

    fn stratum(&self) -> Stratum {
        Vad::stratum(self.regime)
    }

    fn target(&self) -> u8 {
        self.target
    }

    fn context(&self) -> &[Panel] {
        &self.context
    }

    fn choices(&self) -> &[Panel] {
        &self.choices
    }

    /// The relation in the source's attribute, then in the target's.
    fn governed(&self) -> Vec<(Triple, Axis)> {
        let (source, target) = (self.analogy.source_triple(), self.analogy.target_triple());
        vec![(source, Axis::Rows), (target, Axis::Rows)]
    }

    /// A choice stands in the target row: the source keeps its relation.
    fn keeps(&self, choice: usize, number: usize) -> bool {
        number == 0 || broken(&self.context, &self.choices[choice], self.analogy).is_none()
    }

    fn rules(&self) -> Vec<String> {
        rule_texts(self.analogy).into()
    }

    fn broken_by(&self, choice: usize) -> Vec<Broken> {
        broken(&self.context, &self.choices[choice], self.analogy).into_iter().collect()
    }

    fn changed_by(&self, _: usize) -> Vec<Attribute> {
        vec![self.analogy.target]
    }

    fn findings(&self) -> Findings {
        let found = audit(self);
        Findings {
            untrue: (!found.holds).then(|| self.analogy.to_string()).into_iter().collect(),
            unshown: usize::from(found.holds && !found.is_shown),
            right: found.right,
            twins: found.twins,
            unneeded: 0,
            others: found.others.iter().map(|(choice, _)| *choice).collect(),
        }
    }

    fn in_training(&self, regime: &str) -> Option<(bool, Limit)> {
        let regime = Regime::parse(regime)?;
        let held_out = match regime {
            Regime::DomainTransfer => held_out_pairs(),
            _ => Vec::new(),
        };
        let refused = regime.refuses(Split::Train, &held_out, self.analogy);
        Some((refused.is_none(), regime.limit(Split::Train)))
    }
}
