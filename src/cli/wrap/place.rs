//! Where a wrapped provider is put, and what is said of it.

use std::path::PathBuf;

use denobridge_registry::Platform;

use super::super::install::Placed;
use super::super::install::place::place as place_program;
use super::{Arguments, WrapError};
use crate::files;
use crate::sidecar::Sidecar;
use crate::wrapped::Wrapped;

/// What was put where.
pub(super) struct There {
    /// The folder that is a mirror.
    mirror: PathBuf,
    /// The folder of the program in it.
    folder: PathBuf,
    program: PathBuf,
    placed: Placed,
}

/// Puts this program and the file that names the provider into the mirror.
pub(super) fn place(arguments: &Arguments, wrapped: &Wrapped) -> Result<There, WrapError> {
    let failed = |path: PathBuf| move |reason| WrapError::Place { path, reason };
    let mirror = std::path::absolute(&arguments.dir).map_err(failed(arguments.dir.clone()))?;
    let folder = wrapped.address.split('/').fold(mirror.clone(), |folder, part| folder.join(part));
    let folder = folder.join(&wrapped.version).join(Platform::current().to_string());
    let (name, suffix) = (wrapped.provider_type(), std::env::consts::EXE_SUFFIX);
    let program = folder.join(format!("terraform-provider-{name}_v{}{suffix}", wrapped.version));
    let ours = std::env::current_exe().map_err(failed(program.clone()))?;
    let placed = place_program(&ours, &program, arguments.copy).map_err(failed(program.clone()))?;
    let sidecar = folder.join(Sidecar::file_name(name));
    files::write_aside(&sidecar, wrapped.sidecar().as_bytes()).map_err(failed(sidecar))?;
    Ok(There { mirror, folder, program, placed })
}

/// What was done, and what to do next.
pub(super) fn told(arguments: &Arguments, wrapped: &Wrapped, there: &There) -> String {
    let done = match there.placed {
        Placed::Linked => "linked to this program",
        Placed::Copied => "a copy of this program",
        Placed::AlreadyThere => "this program already",
    };
    let (address, mirror) = (&wrapped.address, there.mirror.display().to_string());
    let (configuration, next) = if arguments.dev {
        let folder = there.folder.display().to_string();
        let configuration = format!(
            "provider_installation {{\n  dev_overrides {{\n    {address:?} = {folder:?}\n  }}\n  direct {{}}\n}}\n"
        );
        (
            configuration,
            "No `terraform init` is needed; every command warns that an override is in effect.\n".to_owned(),
        )
    } else {
        let configuration = format!(
            "provider_installation {{\n  filesystem_mirror {{\n    path    = {mirror:?}\n    include = [{address:?}]\n  }}\n  \
             direct {{\n    exclude = [{address:?}]\n  }}\n}}\n"
        );
        let next = format!(
            "Next: `terraform init`. Where .terraform.lock.hcl has checksums of {address} already, this program's has to be \
             beside them, now and whenever this program has changed:\n\n  terraform providers lock -fs-mirror={mirror:?} \
             {address}\n"
        );
        (configuration, next)
    };
    format!(
        "{} is {done}\n  before {}\n\nIn Terraform's or OpenTofu's CLI configuration (the file that TF_CLI_CONFIG_FILE \
         names):\n\n{configuration}\n{next}",
        there.program.display(),
        wrapped.program.display(),
    )
}
