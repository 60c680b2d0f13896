//! PGM behind the seam of all families.

use super::exact::{Exact, Solver};
use super::{Governed, HeldOut, Maker, Puzzle, Regime, Request, audit, broken};
use crate::family::{
    AnyPuzzle, Axis, ExactSolution, Family, FamilyError, Form, Generator, PuzzleSpec, RuleSpace,
    SetInfo, Sheet, Split, Stratum,
};
use crate::relations::{
    Answered, Attribute, Broken, BySide, Findings, Limit, Panel, RULES, Related, SpecError, Triple,
    check_form, codes, key, parse_rules, refuse_raven_options, unknown,
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

    /// The request that a specification stands for.
    ///
    /// # Errors
    /// When it names what PGM does not have.
    pub fn request(spec: &PuzzleSpec) -> Result<Request, FamilyError> {
        refuse_raven_options(ID, spec)?;
        if spec.choices.is_some() {
            return Err(FamilyError::NoOption { family: ID, option: "--choices" });
        }
        let regime = Regime::parse(spec.stratum.name).ok_or_else(|| {
            unknown(ID, "regime", spec.stratum.name, &Regime::ALL.map(Regime::name))
        })?;
        let mut request = Request::new(regime, spec.split.unwrap_or(Split::Train));
        request.faithful = spec.faithful;
        for (row, triple, axis) in parse_rules(&spec.rules)? {
            if let Some(row) = row {
                return Err(SpecError::NotARule(format!("{row}.{triple}")).into());
            }
            request.structure.push((triple, axis));
        }
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
            rules: solution.readings.iter().map(|r| rule_text(r.governed)).collect(),
            readings: &exact.readings,
            choices: &exact.choices,
        };
        Ok(found.solution(explain, |choice| exact.broken(choice)))
    }
}

/// The text form: `shape.color=XOR:columns`.
fn rule_text(governed: Governed) -> String {
    let Governed { triple, axis } = governed;
    format!("{}={}:{axis}", key(triple.attribute), triple.relation)
}

impl Generator for Maker {
    fn puzzle(&self, seed: u64, index: u64) -> Result<Box<dyn AnyPuzzle>, FamilyError> {
        Ok(Box::new(Maker::puzzle(self, seed, index)?))
    }
}

impl Related for Puzzle {
    fn family(&self) -> &'static dyn Family {
        &Pgm
    }

    fn stratum(&self) -> Stratum {
        Pgm::stratum(self.regime)
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

    fn governed(&self) -> Vec<(Triple, Axis)> {
        self.structure.iter().map(|governed| (governed.triple, governed.axis)).collect()
    }

    fn keeps(&self, choice: usize, number: usize) -> bool {
        self.broken[choice] >> number & 1 == 0
    }

    fn rules(&self) -> Vec<String> {
        self.structure.iter().map(|&governed| rule_text(governed)).collect()
    }

    fn broken_by(&self, choice: usize) -> Vec<Broken> {
        broken(&self.context, &self.choices[choice], &self.structure)
    }

    fn changed_by(&self, choice: usize) -> Vec<Attribute> {
        Puzzle::broken_by(self, choice).map(|governed| governed.triple.attribute).collect()
    }

    fn findings(&self) -> Findings {
        let found = audit(self);
        let is_needed = |number: usize| found.broken.contains(&(1 << number));
        Findings {
            untrue: found.failing.iter().map(ToString::to_string).collect(),
            unshown: found.unshown.len(),
            right: found.right().collect(),
            unneeded: (0..self.structure.len()).filter(|&number| !is_needed(number)).count(),
            others: found.accidents.iter().map(|(choice, _)| *choice).collect(),
            twins: found.twins,
        }
    }

    fn in_training(&self, regime: &str) -> Option<(bool, Limit)> {
        let regime = Regime::parse(regime)?;
        let triples: Vec<Triple> = self.structure.iter().map(|own| own.triple).collect();
        let refused = regime.refuses(Split::Train, &HeldOut::of(regime), &triples);
        Some((refused.is_none(), regime.limit(Split::Train)))
    }
}
