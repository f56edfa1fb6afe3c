//! In what packages differ under Pulumi, beyond their names.

/// Whose habits a package follows. Names are a matter of its tables; this is about what is stored and checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conventions {
    /// Ours: for scripts and for providers written with the framework.
    #[default]
    Own,
    /// Those of Pulumi's Go dynamic bridge, for foreign providers: stacks that it has made go on under us, and ours
    /// under it.
    GoBridge,
}
