//! The sections of the report.

use std::collections::BTreeMap;

use genvp_infer::{Model, Weights};
use genvp_model::preset;
use genvp_puzzle::Set;
use genvp_puzzle::family::Family;
use genvp_puzzle::make::HeldOut;
use genvp_puzzle::pgm::Pgm;
use genvp_puzzle::vad::Vad;
use genvp_report::ablation::GROUPS;
use genvp_report::tables::regimes::RegimeMarks;
use genvp_report::tables::{
    Ours, ablation, coherence, cost, held_out, inconsistencies, mixture, ood, regimes, rules,
    set_name, single, solving, taught,
};
use genvp_report::{Figure, Section, Table, withheld as held_out_models};
use serde::Deserialize;
use serde_json::Value;

use super::measure::{Bench, CommandSpec};
use super::models::Role;
use crate::commands::eval::ablation as trials;
use crate::failure::Failure;

/// Measures one section.
type SectionFn = fn(&Bench<'_>) -> Result<Section, Failure>;

/// Every section, measured.
pub fn all(bench: &Bench<'_>) -> Result<Vec<Section>, Failure> {
    let sections: [SectionFn; 11] = [
        solve_section,
        originals_section,
        shifted_section,
        rules_section,
        coherence_section,
        mixture_section,
        regimes_section,
        figures_section,
        ablation_section,
        cost_section,
        paper_section,
    ];
    sections.into_iter().map(|measure| measure(bench)).collect()
}

fn section(id: &str, title: &str, words: &str, bench: &Bench<'_>, tables: Vec<Table>) -> Section {
    let least = bench.scale.least;
    Section {
        id: id.to_owned(),
        title: title.to_owned(),
        words: words.to_owned(),
        tables: tables.into_iter().map(|table| table.without_small_samples(least)).collect(),
        figures: Vec::new(),
    }
}

/// Tables of a model of the report beside others, with what each was taught with below them.
fn with_supervision(bench: &Bench<'_>, role: Role, mut tables: Vec<Table>) -> Vec<Table> {
    if let Some(ours) = bench.taught_with(role) {
        tables.iter_mut().for_each(|table| taught::note(table, ours));
    }
    tables
}

fn solve_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut tables = Vec::new();
    for set in Set::ALL {
        let what = format!("eval solve --set {}", set.key());
        let spec = CommandSpec::of_model(Role::Answer, &what, bench.scale.n, bench.scale.seed);
        let ours = bench.read(&spec, |result| result[set.key()].clone())?;
        tables.push(solving::table(set, &ours, true));
    }
    Ok(section(
        "solving",
        "Solving",
        "Right answers on fresh puzzles of this project's engine. Others are quoted from the paper, which used the originals' test sets.",
        bench,
        with_supervision(bench, Role::Answer, tables),
    ))
}

fn originals_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut tables = Vec::new();
    for (set, folder) in Set::ALL.into_iter().zip(["RAVEN", "I-RAVEN", "RAVEN-F"]) {
        let ours = match bench.scale.originals.as_ref().map(|root| root.join(folder)) {
            None => Ours::Missing("no dataset: give --originals DIR".to_owned()),
            Some(path) if !path.is_dir() => {
                Ours::Missing(format!("no dataset: {} is no folder", path.display()))
            }
            Some(path) => {
                let what = format!("eval solve --set {} --split all", set.key());
                let mut spec =
                    CommandSpec::of_model(Role::Answer, &what, bench.scale.n, bench.scale.seed);
                spec.words.insert(2, path.display().to_string());
                bench.read(&spec, |result| result[set.key()].clone())?
            }
        };
        let mut table = solving::table(set, &ours, false);
        table.id = format!("originals-{}", set.key());
        table.title = format!("Right answers, {} as its own program makes it (%)", set_name(set));
        tables.push(table);
    }
    Ok(section(
        "originals",
        "Solving the originals' puzzles",
        "Puzzles of the original programs, where they are at hand.",
        bench,
        tables,
    ))
}

fn shifted_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut tables = Vec::new();
    for domain in ood::DOMAINS {
        let what = format!("eval ood --shift {}", domain.name());
        let spec =
            CommandSpec::of_model(Role::Answer, &what, bench.scale.shifted, bench.scale.seed);
        let of = |set: Set| Ok((set, bench.read(&spec, |r| r[domain.name()][set.key()].clone())?));
        let ours = ood::SETS.into_iter().map(of).collect::<Result<Vec<_>, Failure>>()?;
        tables.push(ood::table(domain, &ours, true));
    }
    let withheld = |kind: HeldOut| {
        let puzzles = bench.scale.held_out_puzzles;
        let what = format!("eval ood --shift {} --puzzles {puzzles}", kind.name());
        let mut spec = CommandSpec::of_model(Role::Answer, &what, bench.scale.n, bench.scale.seed);
        // The model in the box has seen all rules: another one is trained.
        (spec.role, spec.left_out) = (None, bench.scale.no_held_out);
        spec.settings = held_out_models::settings(kind, held_out_models::PRESET, 1)?.hash();
        spec.path_args = vec!["--runs".to_owned(), bench.out.join("runs").display().to_string()];
        Ok((kind, bench.read(&spec, |result| result[kind.name()].clone())?))
    };
    let ours = HeldOut::ALL.into_iter().map(withheld).collect::<Result<Vec<_>, Failure>>()?;
    tables.push(held_out::table(&ours, true));
    Ok(section(
        "ood",
        "What was never seen in training",
        "Values between and beyond those of training, and rules that training left out.",
        bench,
        with_supervision(bench, Role::Answer, tables),
    ))
}

fn rules_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let spec = CommandSpec::of_model(
        Role::Answer,
        "eval rules --set raven",
        bench.scale.n,
        bench.scale.seed,
    );
    let ours: Ours<rules::Telling> = bench.read(&spec, Value::clone)?;
    let tables = vec![rules::by_layout_table(&ours, true), rules::by_rule_table(&ours)];
    let mut section = section(
        "rules",
        "Telling rules",
        "Rules of complete puzzles, told from the pixels.",
        bench,
        with_supervision(bench, Role::Answer, tables),
    );
    if let Ours::Measured { result, command } = &ours {
        for (name, caption, picture) in [
            ("rules", "Right rules by attribute and rule.", rules::heat(result)),
            ("confusion", "What rules are taken for.", rules::confusion(result)),
        ] {
            section.figures.push(Figure {
                name: name.to_owned(),
                caption: caption.to_owned(),
                svg: picture.svg(),
                command: Some(command.clone()),
            });
        }
    }
    Ok(section)
}

fn coherence_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let spec =
        CommandSpec::of_model(Role::Draw, "eval coherence", bench.scale.imagined, bench.scale.seed);
    let ours = bench.read(&spec, Value::clone)?;
    let (what, n) = ("eval coherence --missing 9", bench.scale.answered);
    let mut spec = CommandSpec::of_model(Role::Draw, what, n, bench.scale.seed);
    spec.left_out = (n == 0).then_some("left out by --answers 0");
    let answers = bench.read(&spec, Value::clone)?;
    let tables = vec![coherence::table(&ours, true), coherence::answers_table(&answers, true)];
    let mut section = section(
        "coherence",
        "Imagining puzzles",
        "Puzzles imagined from rules, and answers drawn to questions, and how many of the rules they follow.",
        bench,
        with_supervision(bench, Role::Draw, tables),
    );
    if let Ours::Measured { result, command } = &ours {
        for (name, word, whose) in [
            ("imagined-own-encoder", coherence::Word::OwnEncoder, "the model's own encoder"),
            ("imagined-judge", coherence::Word::Judge, "the judge"),
        ] {
            section.figures.push(Figure {
                name: name.to_owned(),
                caption: format!(
                    "Rules that imagined puzzles follow, all layouts together, by {whose}."
                ),
                svg: coherence::heat(result, word).svg(),
                command: Some(command.clone()),
            });
        }
    }
    Ok(section)
}

fn mixture_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut tables = Vec::new();
    let (n, seed) = (bench.scale.n, bench.scale.seed);
    let measure = |set: Set| -> Result<Ours<mixture::Mixtures>, Failure> {
        let spec = |taught: u64| {
            let what = format!("eval moe --set {} --teach {taught}", set.key());
            CommandSpec::of_model(Role::Answer, &what, n, seed)
        };
        let taught = CommandSpec { left_out: bench.scale.no_training, ..spec(bench.scale.taught) };
        match bench.read(&taught, Value::clone)? {
            Ours::Missing(_) if taught.left_out.is_some() => bench.read(&spec(0), Value::clone),
            ours => Ok(ours),
        }
    };
    tables.push(mixture::table(Set::RavenFair, &measure(Set::RavenFair)?, true));
    tables.push(single::table(Set::Raven, &measure(Set::Raven)?, true));
    Ok(section(
        "mixtures",
        "Mixtures and single experts",
        "Ways to make one rule matrix of the experts' predictions, and each expert alone.",
        bench,
        with_supervision(bench, Role::Answer, tables),
    ))
}

/// What the commands for PGM and VAD say.
#[derive(Deserialize)]
struct RegimeResult {
    taught_with: String,
    per_regime: BTreeMap<String, RegimeMarks>,
}

/// PGM and VAD by regime, each by the model in the box for its puzzles.
fn regimes_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let families: [&dyn Family; 2] = [&Pgm, &Vad];
    let mut tables = Vec::new();
    for family in families {
        let what = format!("eval {}", family.id());
        let mut spec = CommandSpec::of_model(Role::Answer, &what, bench.scale.n, bench.scale.seed);
        // The report's models are for RAVEN's puzzles; the command takes the family's own.
        spec.role = None;
        spec.settings = Weights::find(Model::solver_of(family)?)?.digests()?.found;
        let (ours, taught_with) = match bench.read(&spec, Value::clone)? {
            Ours::Measured { result: RegimeResult { taught_with, per_regime }, command } => {
                (Ours::new(per_regime.into_values().collect(), command), Some(taught_with))
            }
            Ours::Missing(why) => (Ours::Missing(why), None),
        };
        let mut own = [
            regimes::table(family, &ours, true),
            regimes::mixture_table(family, &ours, true),
            regimes::experts_table(family, &ours),
        ];
        if let Some(taught_with) = taught_with {
            own.iter_mut().for_each(|table| taught::note(table, &taught_with));
        }
        tables.extend(own);
    }
    Ok(section(
        "regimes",
        "PGM and VAD",
        "The test of every regime, answered by the model in the box for such puzzles, which was trained under the condition of one regime (PGM: neutral, VAD: novel.domain.transfer) and knows the values, triples and pairs that others hold out. The paper trained a model per regime.",
        bench,
        tables,
    ))
}

fn figures_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut spec = CommandSpec::plain(&format!("eval figures --seed {}", bench.scale.seed));
    (spec.role, spec.seed) = (Some(Role::Draw), bench.scale.seed);
    let folder = bench.out.join("figures");
    spec.path_args = vec!["--out".to_owned(), folder.display().to_string(), "--force".to_owned()];
    let mut section = section(
        "figures",
        "Pictures",
        "Rules and samples are those of the seed; nothing was chosen by how it looks.",
        bench,
        Vec::new(),
    );
    let mut drawn = bench.measure(&spec)?;
    if let Ours::Measured { result, .. } = &drawn
        && !names(result).all(|name| folder.join(format!("{name}.svg")).is_file())
    {
        // The figures were made before, and deleted since.
        drawn = bench.measure_again(&spec)?;
    }
    match drawn {
        Ours::Missing(why) => section.words = format!("{} {why}", section.words),
        Ours::Measured { result, command } => {
            for file in result["files"].as_array().into_iter().flatten() {
                let word = |key: &str| file[key].as_str().unwrap_or_default().to_owned();
                let path = folder.join(format!("{}.svg", word("name")));
                match std::fs::read_to_string(&path) {
                    Ok(svg) => section.figures.push(Figure {
                        name: word("name"),
                        caption: word("caption"),
                        svg,
                        command: Some(command.clone()),
                    }),
                    Err(error) => section.words.push_str(&format!(" {}: {error}.", path.display())),
                }
            }
        }
    }
    Ok(section)
}

/// The names of drawn figures.
fn names(result: &Value) -> impl Iterator<Item = &str> {
    result["files"].as_array().into_iter().flatten().filter_map(|file| file["name"].as_str())
}

fn ablation_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let scale = &bench.scale;
    let mut tables = Vec::new();
    for group in &GROUPS {
        let mut lines = Vec::new();
        for trial in group.trials() {
            let command =
                trials::command(trial, scale.full, scale.ablation_puzzles, scale.ablation_n, 1);
            let config = trials::config(trial, scale.full, scale.ablation_puzzles, 1)?;
            let mut spec = CommandSpec::plain(command.trim_start_matches("genvp "));
            (spec.seed, spec.n, spec.left_out) = (1, scale.ablation_n, scale.no_ablation);
            spec.settings = config.hash();
            let runs = bench.out.join("runs").display().to_string();
            spec.path_args = vec!["--runs".to_owned(), runs];
            let own: Ours<ablation::Taught> =
                bench.read(&spec, |result| result["trials"][trial.name].clone())?;
            lines.push(trials::line(trial, config.supervision(), own));
        }
        tables.push(ablation::table(group, &lines, scale.full, true));
    }
    Ok(section(
        "ablation",
        "What happens without",
        "Models that were trained for this; the lines of each table differ in what stands below it, and in nothing else.",
        bench,
        tables,
    ))
}

fn cost_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let mut costs = Vec::new();
    for name in preset::names()
        .into_iter()
        .filter(|name| !name.starts_with("pgm") && !name.starts_with("vad"))
    {
        let counted = CommandSpec::plain(&format!("model params --preset {name}"));
        let Ours::Measured { result, .. } = bench.measure(&counted)? else { continue };
        let timed = bench.scale.timed.iter().find(|(timed, _)| *timed == name);
        let mut what = format!("eval speed train --preset {name} --steps 2 --rounds 1");
        if let Some((_, Some(batch))) = timed {
            what.push_str(&format!(" --batch {batch}"));
        }
        if let Some(python) = bench.scale.torch.as_ref().filter(|_| name == "cpu-64") {
            what.push_str(&format!(" --torch {python}"));
        }
        let mut spec = CommandSpec::plain(&what);
        spec.left_out = timed.is_none().then_some(bench.scale.untimed);
        let step = bench.read(&spec, Value::clone)?;
        let parameters = result["parameters"].as_u64().unwrap_or_default();
        costs.push(cost::Cost { preset: name.to_owned(), parameters, step });
    }
    let tables = vec![cost::table(&costs), cost::printed()];
    Ok(section(
        "cost",
        "What it costs",
        "Parameters, memory and time of a training step.",
        bench,
        tables,
    ))
}

fn paper_section(bench: &Bench<'_>) -> Result<Section, Failure> {
    let tables = vec![inconsistencies::table()];
    let words = "Where the paper's own figures differ, both are shown. Averages were recomputed from the columns.";
    Ok(section("paper", "The paper's own figures", words, bench, tables))
}
