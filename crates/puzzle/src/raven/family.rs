//! RAVEN and its two balanced variants behind the seam of all families.

use super::check::{self, FoundRules, Order, Sight, Stated, broken_rules};
use super::make::{HeldOut, Maker, Request};
use super::{Domain, FORM, Group, Layout, Puzzle, RuleMatrix, Set, exact, labels, render};
use crate::family::{
    AnyPuzzle, Audit, Axis, ExactSolution, Explanation, Facts, Family, FamilyError, Form,
    Generator, PuzzleSpec, RuleLabels, RuleSpace, SetInfo, Sheet, Stratum, Truth,
};

/// RAVEN, I-RAVEN and RAVEN-FAIR.
pub struct Raven;

const ID: &str = "raven";
const RULES: RuleSpace = RuleSpace {
    attributes: &[
        "first.number/position",
        "first.number",
        "first.position",
        "first.type",
        "first.size",
        "first.color",
        "second.number/position",
        "second.number",
        "second.position",
        "second.type",
        "second.size",
        "second.color",
    ],
    rules: &["none", "constant", "progression", "arithmetic", "distribute-three"],
};

impl Raven {
    /// What averages over a layout of a set are called.
    pub fn stratum(set: Set, layout: Layout) -> Stratum {
        Stratum { set: set.key(), name: layout.folder() }
    }

    /// The layout of a stratum.
    pub fn layout(stratum: Stratum) -> Option<Layout> {
        Layout::ALL.into_iter().find(|layout| layout.folder() == stratum.name)
    }

    /// The request that a specification stands for.
    ///
    /// # Errors
    /// When it names what RAVEN does not have.
    pub fn request(spec: &PuzzleSpec) -> Result<Request, FamilyError> {
        let unknown = |what, found: &str, known: String| FamilyError::Unknown {
            family: ID,
            what,
            found: found.to_owned(),
            known,
        };
        let set = Set::parse(spec.stratum.set)
            .ok_or_else(|| unknown("set", spec.stratum.set, Set::ALL.map(Set::key).join(", ")))?;
        let layout = Self::layout(spec.stratum).ok_or_else(|| {
            unknown("layout", spec.stratum.name, Layout::ALL.map(Layout::folder).join(", "))
        })?;
        if spec.split.is_some() {
            return Err(FamilyError::NoOption { family: ID, option: "--split" });
        }
        if spec.choices.is_some() {
            return Err(FamilyError::NoOption { family: ID, option: "--choices" });
        }
        let mut request = Request::new(set, layout);
        if let Some(name) = &spec.ood {
            let domain = Domain::parse(name).filter(|&domain| domain != Domain::Standard);
            match (domain, HeldOut::parse(name)) {
                (Some(domain), _) => request.domain = domain,
                (None, Some(held_out)) => request.held_out = Some(held_out),
                (None, None) => {
                    let known = "angle-i, color-i, size-i, size-e, cs-held-out and o-ic-held-out";
                    return Err(unknown("variant", name, known.to_owned()));
                }
            }
        }
        request.uniform = spec.uniform;
        request.faithful = spec.faithful;
        request.no_rivals = spec.no_rivals;
        request.rules = RuleMatrix::parse(&spec.rules, layout)?;
        Ok(request)
    }
}

impl Family for Raven {
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
        &[
            SetInfo {
                name: "raven",
                about: "Each wrong choice changes one attribute (leaks the answer to a vote)",
            },
            SetInfo { name: "iraven", about: "All subsets of three changes (balanced)" },
            SetInfo { name: "raven-fair", about: "A random tree of changes" },
        ]
    }

    fn strata(&self) -> Vec<Stratum> {
        let of_set = |set| Layout::ALL.map(|layout| Self::stratum(set, layout));
        Set::ALL.into_iter().flat_map(of_set).collect()
    }

    fn has_layouts(&self) -> bool {
        true
    }

    fn short_name(&self, stratum: Stratum) -> &'static str {
        Self::layout(stratum).map_or(stratum.name, Layout::short)
    }

    fn rule_groups(&self, stratum: Stratum) -> Vec<Vec<String>> {
        let components = Self::layout(stratum).map_or(&[][..], Layout::components);
        let named = |kind: &super::ComponentKind, group: Group| {
            let name = |attribute: &super::Attribute| match kind.prefix() {
                Some(prefix) => format!("{prefix}.{attribute}"),
                None => attribute.to_string(),
            };
            group.attributes().iter().map(name).collect()
        };
        components.iter().flat_map(|kind| Group::ALL.map(|group| named(kind, group))).collect()
    }

    fn file_prefix(&self) -> &'static str {
        "RAVEN_"
    }

    fn generator(&self, spec: &PuzzleSpec) -> Result<Box<dyn Generator>, FamilyError> {
        Ok(Box::new(Maker::new(Self::request(spec)?)?))
    }

    fn solve(&self, sheet: &Sheet, explain: bool) -> Result<ExactSolution, FamilyError> {
        if sheet.form != FORM {
            return Err(FamilyError::OtherForm { family: ID, found: sheet.form, wanted: FORM });
        }
        let domain = sheet.domain.and_then(Domain::parse).unwrap_or(Domain::Standard);
        let panels = std::array::from_fn(|index| sheet.panel(index));
        let exact = exact::solve(&panels, sheet.side, domain);
        let explanation = explain.then(|| Explanation {
            broken: (0..FORM.choices).map(|choice| in_words(&exact.broken(choice))).collect(),
            twins: exact.twins(),
        });
        let (solution, layout) = (&exact.solution, exact.reading.layout);
        Ok(ExactSolution {
            answer: solution.answer,
            scores: solution.scores.to_vec(),
            chances: Some(solution.scores.map(f64::exp).to_vec()),
            tied: solution.tied,
            rules: solution.rules.text(layout),
            // Which set the choices are of cannot be seen.
            read_as: Some(Self::stratum(Set::Raven, layout)),
            confidence: Some(exact.reading.confidence),
            explanation,
        })
    }
}

fn in_words(broken: &[check::Broken]) -> Vec<String> {
    broken.iter().map(ToString::to_string).collect()
}

impl Generator for Maker {
    fn puzzle(&self, seed: u64, index: u64) -> Result<Box<dyn AnyPuzzle>, FamilyError> {
        Ok(Box::new(Maker::puzzle(self, seed, index)?))
    }
}

impl Puzzle {
    /// Panel number `index` of the question and then the choices.
    fn panel(&self, index: usize) -> &super::Panel {
        self.context.get(index).unwrap_or_else(|| &self.choices[index - self.context.len()])
    }

    /// A name of `component`, with its prefix where there are two.
    fn named(&self, component: usize, what: &str) -> String {
        match self.layout.components()[component].prefix() {
            Some(prefix) => format!("{prefix}.{what}"),
            None => what.to_owned(),
        }
    }

    /// Stated rules that have no such parameter or do not hold in some row.
    fn untrue(&self) -> Vec<String> {
        let stated = Stated::of(self);
        let cell = |row: usize, column: usize| match 3 * row + column {
            8 => self.answer(),
            index => &self.context[index],
        };
        let holds = |component: usize, group: Group| {
            let rule = self.rules[component].of(group);
            rule.kind.steps().contains(&rule.step)
                && (0..3).all(|row| {
                    let panels = [0, 1, 2].map(|column| &cell(row, column).components[component]);
                    check::holds(&stated, component, group, row, panels, Order::Unknown)
                })
        };
        let rules =
            (0..self.rules.len()).flat_map(|component| Group::ALL.map(|group| (component, group)));
        rules
            .filter(|&(component, group)| !holds(component, group))
            .map(|(component, group)| {
                self.named(component, &self.rules[component].of(group).to_string())
            })
            .collect()
    }
}

impl AnyPuzzle for Puzzle {
    fn family(&self) -> &'static dyn Family {
        &Raven
    }

    fn stratum(&self) -> Stratum {
        Raven::stratum(self.set, self.layout)
    }

    fn target(&self) -> usize {
        usize::from(self.target)
    }

    fn draw_into(&self, panel: usize, out: &mut [u8]) {
        render::panel_into(self.panel(panel), self.layout, self.domain, out);
    }

    fn ink_into(&self, panel: usize, side: usize, out: &mut [f32]) {
        render::ink_into(self.panel(panel), self.layout, self.domain, side, out);
    }

    fn truth(&self) -> Truth {
        let rows = RuleMatrix::of(&self.rules).columns().map(|column| column as u8);
        let of_choice = |labels: [u8; RuleMatrix::ATTRIBUTES]| RuleLabels::new(RULES, &labels);
        let counted = check::counted(&Stated::of(self), self.domain).into_iter();
        let rows_of = |(component, group): (usize, Group)| {
            group.attributes().iter().map(|a| component * 6 + a.index()).collect()
        };
        Truth {
            rules: RuleLabels::new(RULES, &rows),
            choices: labels::of_choices(self).map(of_choice).into(),
            axes: vec![Axis::Rows; RULES.attributes.len()],
            counted: counted.map(rows_of).collect(),
            vote: check::majority_vote(&self.choices),
        }
    }

    fn rules_text(&self) -> String {
        RuleMatrix::of(&self.rules).text(self.layout)
    }

    fn broken(&self) -> Vec<Vec<String>> {
        let rules = FoundRules::stated(self);
        let broken = |choice: usize| {
            if choice == usize::from(self.target) {
                return Vec::new();
            }
            in_words(&broken_rules(
                &self.context,
                &self.choices[choice],
                self.layout,
                self.domain,
                Sight::Levels,
                &rules,
            ))
        };
        (0..FORM.choices).map(broken).collect()
    }

    fn audit(&self) -> Audit {
        let audit = check::Audit::of(self);
        Audit {
            untrue: self.untrue(),
            right: (0..FORM.choices).filter(|&choice| audit.satisfied[choice]).collect(),
            twins: audit.duplicates,
            vote: audit.vote,
            outvoted: check::minority_vote(&self.choices),
            unshown: 0,
            unneeded: audit.unneeded.len(),
            rivals: audit.rivals.len(),
        }
    }

    fn facts(&self) -> Facts {
        let rules = self.rules_text().split(' ').map(str::to_owned).collect();
        let mut facts = Facts { rules, ..Facts::default() };
        for (component, kind) in self.layout.components().iter().enumerate() {
            if kind.slot_count() > 1 {
                for panel in self.context.iter().chain([self.answer()]) {
                    let count = panel.components[component].entities.len();
                    facts.objects.push(self.named(component, &format!("objects={count}")));
                }
            }
            if self.is_uniform(component) {
                facts.uniform.push(self.named(component, "uniform"));
            }
        }
        let wrong = self.changes.iter().filter(|changes| !changes.is_empty());
        facts.changes = wrong
            .map(|changes| {
                let name =
                    |c: &super::Change| self.named(usize::from(c.component), c.attribute.key());
                changes.iter().map(name).collect()
            })
            .collect();
        facts
    }
}
