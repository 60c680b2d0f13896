use super::*;

fn config() -> RunConfig {
    RunConfig::preset("cpu-64").unwrap()
}

fn refused(change: impl FnOnce(&mut TrainConfig)) -> String {
    let mut config = config();
    change(&mut config.train);
    config.check().unwrap_err().to_string()
}

#[test]
fn every_preset_can_be_trained_on_puzzles_of_its_family() {
    for name in genvp_model::preset::names() {
        let config = RunConfig::preset(name).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(config.check().is_ok(), "{name}: {:?}", config.check());
        let family = config.family().unwrap().id();
        let wanted = ["pgm", "vad"].into_iter().find(|family| name.starts_with(family));
        assert_eq!(family, wanted.unwrap_or("raven"), "{name}");
        assert_eq!(config.feed_shape().form, config.family().unwrap().form());
    }
}

#[test]
fn settings_of_another_family_are_refused_by_name() {
    let refusal = |preset: &str, setting: &str| {
        let config = RunConfig::preset(preset).unwrap().with_setting(setting).unwrap();
        config.check().unwrap_err().to_string()
    };
    for (preset, setting, wanted) in [
        (
            "cpu-64",
            "train.feed.regimes=[\"neutral\"]",
            "train.feed.regimes is not for puzzles of raven",
        ),
        ("cpu-64", "train.feed.transpose=0.5", "train.feed.transpose is not for puzzles of raven"),
        ("pgm-cpu-64", "train.feed.layouts.2x2=2", "train.feed.layouts is not for puzzles of pgm"),
        ("pgm-cpu-64", "train.feed.choices=lbc", "pgm has no option --choices"),
        (
            "vad-cpu-64",
            "train.feed.transpose=0.5",
            "train.feed.transpose is not for puzzles of vad",
        ),
        ("vad-cpu-64", "train.feed.regimes=[\"neutral\"]", "vad has no regime `neutral`"),
        ("pgm-64", "train.loss.symbolic_only=true", "train.loss.symbolic_only"),
    ] {
        let told = refusal(preset, setting);
        assert!(told.contains(wanted), "{setting}: {told}");
    }
}

#[test]
fn a_relations_model_is_taught_with_what_its_terms_need() {
    let supervision = |settings: &[&str]| {
        let config = RunConfig::preset("pgm-cpu-64").unwrap();
        let config = settings.iter().fold(config, |c, text| c.with_setting(text).unwrap());
        (config.supervision(), config.feed_shape().side)
    };
    assert_eq!(supervision(&[]), (Supervision::Values, 64));
    assert_eq!(supervision(&["train.loss.weights.values=0"]), (Supervision::Rules, 64));
    let symbolic = ["train.loss.weights.values=0", "train.loss.symbolic_only=true"];
    assert_eq!(supervision(&symbolic), (Supervision::Values, 0), "no pixels are needed");
}

#[test]
fn settings_survive_the_file() {
    let config = config();
    let read: RunConfig = toml::from_str(&config.to_toml().unwrap()).unwrap();
    assert_eq!(config, read);
    assert_eq!(config.hash(), read.hash());
}

#[test]
fn one_setting_is_set_by_text() {
    let set = |text: &str| config().with_setting(text).unwrap();
    assert_eq!(set("train.batch=64").train.batch, 64);
    assert_eq!(set("train.learning_rate = 1e-3").train.learning_rate, 1e-3);
    assert_eq!(set("train.learning_rate=1").train.learning_rate, 1.0, "a whole number will do");
    assert_eq!(set("train.loss.contrast=paper").train.loss.contrast, Contrast::Paper);
    let layouts = set("train.feed.layouts.2x2=2.5").train.feed.layouts;
    assert_eq!(layouts.of(Layout::DistributeFour), 2.5);
    assert_eq!(set("model.latent.irrelevant=9").model.latent().unwrap().irrelevant, 9);
    assert!(set("train.loss.symbolic_only=true").train.loss.symbolic_only);
    assert!(set("train.loss.blind=true").train.loss.symbolic_only, "an older name");
    assert!(set("train.feed.untold=true").train.feed.learned_irrelevant, "an older name");
    assert_eq!(set("train.betas=[0.8, 0.99]").train.betas, [0.8, 0.99]);
}

#[test]
fn a_wrong_name_is_refused_with_the_nearest() {
    for (text, nearest) in [
        ("train.bach=3", "train.batch"),
        ("learning_rate=3", "train.learning_rate"),
        ("train.loss.weights.supervize=3", "train.loss.weights.supervised"),
        ("model.latent.relevnt=3", "model.latent.relevant"),
    ] {
        let error = config().with_setting(text).unwrap_err();
        assert!(error.to_string().contains(&format!("`{nearest}`")), "{error}");
    }
    let error = config().with_setting("xyzzy_plugh=3").unwrap_err();
    assert!(!error.to_string().contains("nearest"), "{error}");
    assert!(matches!(config().with_setting("train.batch"), Err(TrainError::NotASetting(_))));
    assert!(matches!(config().with_setting("=3"), Err(TrainError::NotASetting(_))));
}

#[test]
fn a_value_of_the_wrong_kind_is_refused() {
    for text in [
        "train.batch=\"20\"",
        "train.loss.weights.supervised=\"20\"",
        "train.batch=-1",
        "train.loss.contrast=some",
    ] {
        let error = config().with_setting(text).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn a_file_lays_some_settings_over_the_rest() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "[train]\nbatch = 8\n[train.feed.sets]\nraven = 0\n[model.image.encoder]\nkind = \"small\"\nchannels = [8, 8, 8]\nhidden = 16\n").unwrap();
    let config = config().with_file(&path).unwrap();
    assert_eq!(
        (config.train.batch, config.train.feed.sets.raven, config.train.feed.sets.iraven),
        (8, 0.0, 1.0)
    );
    std::fs::write(&path, "[train]\nbatsch = 8\n").unwrap();
    let error = config.with_file(&path).unwrap_err().to_string();
    assert!(error.contains("batsch") && error.contains("train.batch"), "{error}");
}

#[test]
fn settings_that_make_no_sense_are_refused_by_name() {
    assert!(refused(|t| t.learning_rate = 0.0).contains("train.learning_rate"));
    assert!(refused(|t| t.learning_rate = f64::NAN).contains("train.learning_rate"));
    assert!(refused(|t| t.batch = 1).contains("train.batch"));
    assert!(refused(|t| t.validation.seed = t.seed).contains("train.validation.seed"));
    assert!(
        refused(|t| t.feed.sets = crate::feed::SetWeights { raven: 0.0, iraven: 0.0 })
            .contains("train.feed.sets")
    );
    assert!(refused(|t| t.loss.weights.z_o = -1.0).contains("train.loss"));
    assert!(refused(|t| t.betas = [1.0, 0.9]).contains("train.betas"));
    assert!(refused(|t| t.feed.warp.zoom = 0.9).contains("train.feed.warp"));
    assert!(refused(|t| t.feed.warp.turn = 5.0).contains("train.feed.learned_irrelevant"));
    let mut paper = RunConfig::preset("paper-64").unwrap();
    paper.train.loss.weights.values = 1.0;
    let absent = paper.check().unwrap_err().to_string();
    assert!(absent.contains("loss.weights.values") && absent.contains("genvp"), "{absent}");
    for (preset, term) in [
        ("cpu-64", "layout"),
        ("cpu-64", "mixture"),
        ("raven-rules-64", "mixture"),
        ("pgm-cpu-64", "mixture"),
    ] {
        let setting = format!("train.loss.weights.{term}=1");
        let config = RunConfig::preset(preset).unwrap().with_setting(&setting).unwrap();
        let absent = config.check().unwrap_err().to_string();
        assert!(absent.contains(&format!("loss.weights.{term}:")), "{preset}: {absent}");
    }
    let learned = RunConfig::preset("pgm-64").unwrap();
    assert!(learned.with_setting("train.loss.weights.mixture=1").unwrap().check().is_ok());
    let unseen = refused(|t| {
        t.feed.warp.zoom = 0.1;
        t.loss.symbolic_only = true;
        t.loss.weights.reconstruction = 0.0;
        t.loss.weights.z_irrelevant = 0.0;
        t.loss.weights.values = 0.0;
    });
    assert!(unseen.contains("none are looked at"), "{unseen}");
    let both = refused(|t| {
        t.epsilon = 0.0;
        t.gradient_clip = 0.0;
    });
    assert!(both.contains("train.epsilon") && both.contains("train.gradient_clip"), "{both}");
}

#[test]
fn differences_name_the_setting_and_both_values() {
    let (one, two) = (config(), config().with_setting("train.batch=64").unwrap());
    assert_eq!(one.differences(&two), ["train.batch: 16 there, 64 now"]);
    assert_ne!(one.hash(), two.hash());
    assert!(one.differences(&one).is_empty());
}

#[test]
fn the_phases_follow_each_other() {
    let mut train = config().train;
    train.warm_up.puzzles = 320;
    train.batch = 32;
    assert_eq!(train.phase(9).0, "warm-up");
    assert_eq!(train.phase(10).0, "contrast");
}
