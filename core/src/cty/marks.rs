//! Marks: facts about a value that travel with it inside the process and never reach a wire or a state file.

/// A set of marks on one value. Encoders drop them; conversions and path edits keep them.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Marks(u8);

impl Marks {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// Terraform's sensitive: never shown, never logged.
    pub const SENSITIVE: Self = Self(1);
    /// Pulumi's secret: encrypted in state and wrapped on the wire.
    pub const SECRET: Self = Self(2);

    /// Both sets together.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether every mark of `other` is here.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is no mark at all.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Marks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut set = f.debug_set();
        if self.contains(Self::SENSITIVE) {
            set.entry(&"sensitive");
        }
        if self.contains(Self::SECRET) {
            set.entry(&"secret");
        }
        set.finish()
    }
}
