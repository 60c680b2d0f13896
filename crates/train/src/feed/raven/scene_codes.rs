//! The true values of every panel as the codes that its blocks of Z_o are taught to be.

use genvp_model::{ModelConfig, ValueKind, write_parameters};
use genvp_puzzle::{Attribute, Layout, Panel, Puzzle};

/// The attributes of a component after number and position, and their lowest level.
const ATTRIBUTES: [(Attribute, usize); 3] =
    [(Attribute::Type, 1), (Attribute::Size, 0), (Attribute::Color, 0)];

/// The kinds of value, in the order of the attribute groups, that can hold RAVEN's values.
const NEEDED: [ValueKind; 4] = [
    ValueKind::Occupancy { slots: 9 },
    ValueKind::Named { values: 5 },
    ValueKind::Ordered { values: 6 },
    ValueKind::Ordered { values: 10 },
];

/// How a model wants the values of a panel: a code for each attribute group of each component,
/// zeros for a component that is not there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneCodes {
    groups: [ValueKind; 4],
    layouts: usize,
    components: usize,
    /// Whether the model is told the parameters of rules.
    parameters: bool,
}

impl SceneCodes {
    /// The codes of a model that is taught values; `None` for other models, and for codes in
    /// which RAVEN's values have no place.
    pub fn of(model: &ModelConfig) -> Option<Self> {
        let networks = model.networks()?;
        let values = model.values()?;
        let groups: [ValueKind; 4] = values.groups.clone().try_into().ok()?;
        let (components, layouts) = (networks.experts.components(), networks.puzzle.layouts);
        let holds = |(own, needed): (&ValueKind, &ValueKind)| {
            std::mem::discriminant(own) == std::mem::discriminant(needed)
                && own.count() >= needed.count()
        };
        let fits = groups.iter().zip(&NEEDED).all(holds)
            && components >= 2
            && [0, Layout::ALL.len()].contains(&layouts);
        fits.then_some(Self { groups, layouts, components, parameters: values.parameters })
    }

    /// Shares of one component: for each group its code, then the layout or "not all alike".
    fn per_component(&self) -> usize {
        self.groups.iter().map(|kind| kind.width(self.layouts)).sum()
    }

    /// Shares of a panel.
    pub fn per_panel(&self) -> usize {
        self.components * self.per_component()
    }

    /// Numbers that tell the parameters of a puzzle's rules.
    pub fn parameters_per_puzzle(&self) -> usize {
        let per_component = self.groups.iter().map(ValueKind::parameter_width).sum::<usize>();
        if self.parameters { self.components * per_component } else { 0 }
    }

    /// Writes the parameters of a puzzle's rules, component by component and group by group; 0
    /// for a component that is not there. Nothing where there is no room.
    pub fn write_parameters(&self, puzzle: &Puzzle, out: &mut [f32]) {
        out.fill(0.0);
        let per_component = out.len() / self.components;
        for (component, out) in out.chunks_exact_mut(per_component.max(1)).enumerate() {
            if component < puzzle.rules.len() {
                write_parameters(&self.groups, &puzzle.rule_parameters(component), out);
            }
        }
    }

    /// Writes the shares of a panel: the codes of its values; where objects differ,
    /// the mean of their codes.
    ///
    /// # Panics
    /// When `out` is shorter than the components of the panel need.
    pub fn write(&self, panel: &Panel, layout: Layout, out: &mut [f32]) {
        out.fill(0.0);
        let [positions, others @ ..] = &self.groups;
        for (component, out) in
            panel.components.iter().zip(out.chunks_exact_mut(self.per_component()))
        {
            let (place, mut rest) = out.split_at_mut(positions.width(self.layouts));
            let mask: usize = component.entities.iter().map(|entity| 1 << entity.slot).sum();
            let (code, layouts) = place.split_at_mut(positions.value_width());
            positions.write(mask - 1, code);
            if let Some(own) = layouts.get_mut(layout.index()) {
                *own = 1.0;
            }
            for ((attribute, first), kind) in ATTRIBUTES.into_iter().zip(others) {
                let width = kind.value_width();
                let (own, others) = rest.split_at_mut(width + 1);
                rest = others;
                let mut code = vec![0.0; width];
                for entity in &component.entities {
                    let level = usize::from(entity.level(attribute).unwrap_or_default()) - first;
                    kind.write(level, &mut code);
                    let share = 1.0 / component.entities.len() as f32;
                    own.iter_mut().zip(&code).for_each(|(own, code)| *own += share * code);
                }
                own[width] = f32::from(u8::from(component.shared(attribute).is_none()));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use genvp_model::Preset;
    use genvp_puzzle::Set;
    use genvp_puzzle::make::{Maker, Request};

    #[test]
    fn only_codes_that_hold_ravens_values_are_used() {
        let mut preset = Preset::named("cpu-64").unwrap().model;
        assert_eq!(SceneCodes::of(&preset).unwrap().per_panel(), 104);
        assert_eq!(SceneCodes::of(&Preset::named("paper-64").unwrap().model), None);
        let ModelConfig::Scene(config) = &mut preset else { panic!("cpu-64 is taught values") };
        config.values.groups[3] = ValueKind::Ordered { values: 9 };
        assert_eq!(SceneCodes::of(&preset), None, "a grey has no code");
    }

    #[test]
    fn what_is_written_is_what_is_there() {
        let codes = SceneCodes::of(&Preset::named("cpu-64").unwrap().model).unwrap();
        for layout in Layout::ALL {
            let maker = Maker::new(Request::new(Set::IRaven, layout)).unwrap();
            for index in 0..20 {
                let puzzle = maker.puzzle(1, index).unwrap();
                for panel in puzzle.panels() {
                    let mut out = vec![9.0; codes.per_panel()];
                    codes.write(panel, layout, &mut out);
                    for (index, own) in out.chunks(codes.per_component()).enumerate() {
                        let there = f32::from(u8::from(index < panel.components.len()));
                        let sum = |from: usize, to: usize| own[from..to].iter().sum::<f32>();
                        let taken = panel.components.get(index).map_or(0, |p| p.entities.len());
                        assert_eq!(sum(0, 9) as usize, taken);
                        assert_eq!(sum(9, 17) as usize, taken.saturating_sub(1));
                        assert!((sum(17, 24) - there).abs() < 1e-5, "one layout");
                        assert!((sum(24, 29) - there).abs() < 1e-5, "shapes are shares of one");
                        for ladder in [34..40, 41..51] {
                            assert!((own[ladder.start] - there).abs() < 1e-5);
                            let steps = own[ladder].windows(2);
                            assert!(steps.into_iter().all(|p| p[0] >= p[1] - 1e-5));
                        }
                        if let Some(there) = panel.components.get(index) {
                            let alike = there.shared(Attribute::Color).is_some();
                            assert_eq!(own[51] == 0.0, alike);
                        }
                    }
                }
            }
        }
    }
}
