//! The word by which host and plugin know each other.

/// Proves that a Terraform-like host starts a plugin, and not a person in a shell. Not a secret.
pub(crate) const MAGIC_COOKIE: (&str, &str) =
    ("TF_PLUGIN_MAGIC_COOKIE", "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2");
