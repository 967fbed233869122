//! Paths of the knobs of control groups.

/// Placeholder for a group's name in the table of knobs.
pub(crate) const NAME: &str = "<name>";
/// What a group may state.
pub(crate) const KEYS: [&str; 4] = ["cpu_max", "cpu_max_burst", "cpu_weight", "period_phase"];

/// Splits `cgroups.web.cpu_max` or `cgroups."user.slice/web".cpu_max` into name and key.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    let (name, key) = path.strip_prefix("cgroups.")?.rsplit_once('.')?;
    let bare = name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name);
    (KEYS.contains(&key) && !bare.is_empty() && !bare.contains('"')).then_some((bare, key))
}

/// The pattern in the table of knobs that `path` is an instance of.
pub(crate) fn pattern(path: &str) -> Option<String> {
    split(path).map(|(_, key)| format!("cgroups.{NAME}.{key}"))
}

/// `path` in the one spelling that a knob's path has: a group's name in quotes only where it holds
/// a dot.
pub fn one_spelling(path: &str) -> String {
    split(path).map_or_else(|| path.to_owned(), |(name, key)| path_of(name, key))
}

/// `cgroups.web.cpu_max`, the name quoted where it holds a dot.
pub(crate) fn path_of(name: &str, key: &str) -> String {
    if name.contains('.') {
        format!("cgroups.\"{name}\".{key}")
    } else {
        format!("cgroups.{name}.{key}")
    }
}
