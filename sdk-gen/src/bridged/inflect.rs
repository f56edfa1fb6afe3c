//! English plurals and singulars as the Go bridge forms them (the tables of `pulumi/inflector` 0.2.1, which descend from
//! CakePHP's), since property and type names in generated SDKs depend on every one of its answers, odd ones included.
//!
//! In order: irregular words, words that have one form only, and then the first rule that fits the end of the name. The
//! end is that of the whole name in snake case, and an underscore does not begin a word, so `log_status` follows rules
//! while `status` alone may be a word of a list.

/// Words with a plural of their own.
const IRREGULAR: &[(&str, &str)] = &[
    ("atlas", "atlases"),
    ("beef", "beefs"),
    ("brother", "brothers"),
    ("cafe", "cafes"),
    ("child", "children"),
    ("cookie", "cookies"),
    ("corpus", "corpuses"),
    ("cow", "cows"),
    ("ganglion", "ganglions"),
    ("genie", "genies"),
    ("genus", "genera"),
    ("graffito", "graffiti"),
    ("hoof", "hoofs"),
    ("loaf", "loaves"),
    ("man", "men"),
    ("money", "monies"),
    ("mongoose", "mongooses"),
    ("move", "moves"),
    ("mythos", "mythoi"),
    ("niche", "niches"),
    ("numen", "numina"),
    ("occiput", "occiputs"),
    ("octopus", "octopuses"),
    ("opus", "opuses"),
    ("ox", "oxen"),
    ("penis", "penises"),
    ("person", "people"),
    ("sex", "sexes"),
    ("soliloquy", "soliloquies"),
    ("testis", "testes"),
    ("trilby", "trilbys"),
    ("turf", "turfs"),
    ("potato", "potatoes"),
    ("hero", "heroes"),
    ("tooth", "teeth"),
    ("goose", "geese"),
    ("foot", "feet"),
];

/// Singulars that are irregular in that direction only.
const IRREGULAR_SINGULARS: &[(&str, &str)] =
    &[("foe", "foes"), ("wave", "waves"), ("curve", "curves"), ("cache", "caches")];

/// Whole names with one form.
const UNCHANGED: &str = "amoyese bison borghese bream breeches britches buffalo cantus carp chassis clippers cod coitus \
                         congoese contretemps corps debris diabetes djinn eland elk equipment faroese flounder \
                         foochowese gallows genevese genoese gilbertese graffiti headquarters herpes hijinks \
                         hottentotese information innings jackanapes kiplingese kongoese lucchese mackerel maltese mews \
                         moose mumps nankingese news nexus niasese pekingese piedmontese pincers pistoiese pliers \
                         portuguese proceedings rabies rice rhinoceros salmon sarawakese scissors sea-bass series \
                         shavese shears siemens species swine testes trousers trout tuna vermontese wenchowese whiting \
                         wildebeest yengeese";

/// Endings of names with one form.
const UNCHANGED_ENDINGS: &[&str] =
    &["media", "nese", "rese", "lese", "mese", "deer", "fish", "measles", "ois", "pox", "sheep"];

/// Nouns in `-us` with a plural in `-i`.
const LATIN: &[&str] =
    &["alumn", "bacill", "cact", "foc", "fung", "nucle", "radi", "stimul", "syllab", "termin", "vir"];

/// The plural of a name in snake case.
pub(super) fn plural(name: &str) -> String {
    let pairs = IRREGULAR.iter().map(|(singular, plural)| (*singular, *plural));
    irregular(name, pairs)
        .or_else(|| (has_one_form(name) || name.eq_ignore_ascii_case("people")).then(|| name.to_owned()))
        .unwrap_or_else(|| regular_plural(name))
}

/// The singular of a name in camel case.
pub(super) fn singular(name: &str) -> String {
    let pairs = IRREGULAR.iter().chain(IRREGULAR_SINGULARS).map(|(singular, plural)| (*plural, *singular));
    irregular(name, pairs)
        .or_else(|| (has_one_form(name) || ends(name, "ss")).then(|| name.to_owned()))
        .unwrap_or_else(|| regular_singular(name))
}

/// The other form of an irregular word at the end of a name. The first letter of that form is the first letter of the
/// whole name, as the Go package has it.
fn irregular<'w>(name: &str, pairs: impl Iterator<Item = (&'w str, &'w str)>) -> Option<String> {
    let starts_word = |before: &str| !before.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '_');
    // The longest text before the word is tried first, so the shortest word wins.
    let found = pairs.filter_map(|(word, other)| Some((strip(name, word)?, other)));
    let (before, other) = found.filter(|(before, _)| starts_word(before)).max_by_key(|(before, _)| before.len())?;
    Some(format!("{before}{}{}", name.get(..1)?, other.get(1..)?))
}

fn has_one_form(name: &str) -> bool {
    UNCHANGED.split_ascii_whitespace().any(|word| name.eq_ignore_ascii_case(word))
        || name.eq_ignore_ascii_case("sea bass")
        || UNCHANGED_ENDINGS.iter().any(|ending| ends(name, ending))
}

fn regular_plural(name: &str) -> String {
    let consonant = |before: &str| before.ends_with(|c: char| !"aeiouyAEIOUY".contains(c)) || ends(before, "qu");
    // Kept letters of an ending are counted from its start.
    let replaced = |ending: &str, kept: usize, with: &str| {
        strip(name, ending).and_then(|before| Some(format!("{}{with}", name.get(..before.len() + kept)?)))
    };
    if let Some(plural) = replaced("status", 1, "tatuses") {
        return plural;
    }
    if ends(name, "quiz") {
        return format!("{name}zes");
    }
    if name.eq_ignore_ascii_case("ox") {
        return format!("{name}en");
    }
    let mouse = ["mouse", "louse", "|ouse"].iter().find_map(|ending| replaced(ending, 1, "ice"));
    let matrix = ["matrix", "matrex", "vertix", "vertex", "indix", "index"]
        .iter()
        .find_map(|ending| replaced(ending, ending.len() - 2, "ices"));
    if let Some(plural) = mouse.or(matrix) {
        return plural;
    }
    if ["x", "ch", "ss", "sh"].iter().any(|ending| ends(name, ending)) {
        return format!("{name}es");
    }
    if let Some(before) = strip(name, "y").filter(|before| consonant(before)) {
        return format!("{before}ies");
    }
    // A slip in the package's table, which names a group that is not there: `archive` becomes `arc`.
    if let Some(before) = strip(name, "hive") {
        return before.to_owned();
    }
    let knife = strip(name, "fe").filter(|before| before.ends_with(|c: char| !"fF".contains(c)));
    let half = strip(name, "f").filter(|before| ["l", "r", "e"].iter().any(|ending| ends(before, ending)));
    if let Some(before) = knife.or(half) {
        return format!("{before}ves");
    }
    if let Some(before) = strip(name, "sis") {
        return format!("{before}ses");
    }
    let rules = [("tum", 1, "a"), ("ium", 1, "a"), ("person", 1, "eople"), ("man", 1, "en"), ("child", 1, "hildren")];
    let rules = rules.iter().chain(&[("buffalo", 6, "oes"), ("tomato", 5, "oes")]);
    let latin = || LATIN.iter().find_map(|stem| replaced(&format!("{stem}us"), stem.len(), "i"));
    let mut rules = rules.filter_map(|(ending, kept, with)| replaced(ending, *kept, with));
    if let Some(plural) = rules.next().or_else(latin) {
        return plural;
    }
    if let Some(before) = strip(name, "us") {
        return format!("{before}uses");
    }
    if ends(name, "alias") {
        return format!("{name}es");
    }
    if let Some(plural) = ["axis", "crisis", "testis"].iter().find_map(|word| replaced(word, word.len() - 2, "es")) {
        return plural;
    }
    if name.is_empty() || name.ends_with('s') { name.to_owned() } else { format!("{name}s") }
}

fn regular_singular(name: &str) -> String {
    // Kept letters of an ending are counted from its start.
    let replaced = |ending: &str, kept: usize, with: &str| {
        strip(name, ending).and_then(|before| Some(format!("{}{with}", name.get(..before.len() + kept)?)))
    };
    let any =
        |rules: &[(&str, usize, &str)]| rules.iter().find_map(|(ending, kept, with)| replaced(ending, *kept, with));
    let first = any(&[
        ("statuses", 1, "tatus"),
        ("menus", 4, ""),
        ("quizzes", 4, ""),
        ("matrices", 4, "ix"),
        ("vertices", 4, "ex"),
        ("indices", 3, "ex"),
    ]);
    if let Some(singular) = first {
        return singular;
    }
    if name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("oxen")) {
        return format!("{}{}", name.get(..2).unwrap_or_default(), name.get(4..).unwrap_or_default());
    }
    if let Some(singular) = alias(name).or_else(|| {
        let stems = LATIN.iter().filter(|stem| **stem != "vir").chain(&["viri", "vir"]);
        stems.into_iter().find_map(|stem| replaced(&format!("{stem}i"), stem.len(), "us"))
    }) {
        return singular;
    }
    if let Some(singular) = taxes(name) {
        return singular;
    }
    let second = any(&[
        ("crises", 4, "is"),
        ("axes", 2, "is"),
        ("testes", 4, "is"),
        ("shoes", 4, ""),
        ("slaves", 5, ""),
        ("oes", 1, ""),
    ]);
    if let Some(singular) = second {
        return singular;
    }
    // These two rules are about small letters only.
    if let Some(before) = name.strip_suffix("ouses") {
        return format!("{before}ouse");
    }
    if let Some(before) = name.strip_suffix("uses").filter(|before| before.ends_with(|c| c != 'a')) {
        return format!("{before}us");
    }
    let third = any(&[
        ("mice", 1, "ouse"),
        ("lice", 1, "ouse"),
        ("|ice", 1, "ouse"),
        ("caches", 5, ""),
        ("xes", 1, ""),
        ("ches", 2, ""),
        ("sses", 2, ""),
        ("shes", 2, ""),
        ("movies", 1, "ovie"),
        ("series", 1, "eries"),
    ]);
    if let Some(singular) = third {
        return singular;
    }
    let consonant = |before: &&str| before.ends_with(|c: char| !"aeiouyAEIOUY".contains(c)) || ends(before, "qu");
    if let Some(before) = strip(name, "ies").filter(consonant) {
        return format!("{before}y");
    }
    late_singular(name)
}

/// The rules after the one for `-ies`.
fn late_singular(name: &str) -> String {
    let replaced = |ending: &str, kept: usize, with: &str| {
        strip(name, ending).and_then(|before| Some(format!("{}{with}", name.get(..before.len() + kept)?)))
    };
    let any =
        |rules: &[(&str, usize, &str)]| rules.iter().find_map(|(ending, kept, with)| replaced(ending, *kept, with));
    if let Some(singular) = any(&[("tives", 4, ""), ("lves", 1, "f"), ("rves", 1, "f"), ("eves", 1, "f")]) {
        return singular;
    }
    if let Some(before) = strip(name, "ves").filter(|before| before.ends_with(|c: char| !"foFO".contains(c))) {
        return format!("{before}fe");
    }
    if let Some(singular) = any(&[("hives", 4, ""), ("drives", 5, "")]) {
        return singular;
    }
    if name.eq_ignore_ascii_case("bases") {
        return format!("{}sis", name.get(..2).unwrap_or_default());
    }
    let last = any(&[
        ("analyses", 5, "sis"),
        ("diagnoses", 6, "sis"),
        ("parentheses", 8, "sis"),
        ("prognoses", 6, "sis"),
        ("synopses", 5, "sis"),
        ("theses", 3, "sis"),
        ("ta", 1, "um"),
        ("ia", 1, "um"),
        ("people", 1, "erson"),
        ("men", 1, "an"),
        ("children", 1, "hild"),
        ("news", 1, "ews"),
    ]);
    if let Some(singular) = last {
        return singular;
    }
    if let Some(before) = name.strip_suffix("eaus") {
        return format!("{before}eau");
    }
    if name.ends_with("us") {
        return name.to_owned();
    }
    strip(name, "s").unwrap_or(name).to_owned()
}

/// `alias` followed by any number of `es`: all of them go.
fn alias(name: &str) -> Option<String> {
    let mut rest = name;
    loop {
        if ends(rest, "alias") {
            return Some(rest.to_owned());
        }
        rest = strip(rest, "es")?;
    }
}

/// `faxes`, `taxes` and `waxes` lose their `es` wherever they stand in the name, since that rule alone has no end.
fn taxes(name: &str) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    let found = |text: &str| ["faxes", "taxes", "waxes"].iter().filter_map(|word| text.find(word)).min();
    let mut start = found(&lower)?;
    let mut out = String::new();
    let mut from = 0;
    loop {
        out.push_str(name.get(from..start + 3)?);
        from = start + 5;
        match lower.get(from..).and_then(found) {
            Some(next) => start = from + next,
            None => break,
        }
    }
    out.push_str(name.get(from..)?);
    Some(out)
}

/// What is before the ending; case does not matter.
fn strip<'n>(name: &'n str, ending: &str) -> Option<&'n str> {
    let at = name.len().checked_sub(ending.len())?;
    let (before, end) = name.split_at_checked(at)?;
    end.eq_ignore_ascii_case(ending).then_some(before)
}

fn ends(name: &str, ending: &str) -> bool {
    strip(name, ending).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `pulumi/inflector` 0.2.1 answered, one `word plural singular` a line.
    const ANSWERS: &str = include_str!("../../tests/inflector.txt");

    #[test]
    fn answers_are_those_of_the_go_package() {
        let mut count = 0;
        for line in ANSWERS.lines() {
            let [word, many, one] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
            assert_eq!(plural(word), many, "plural of {word}");
            assert_eq!(singular(word), one, "singular of {word}");
            count += 1;
        }
        assert!(count > 1000, "{count}");
    }
}
