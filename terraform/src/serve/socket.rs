//! Where the plugin listens: a Unix socket that only its user may open, else a TCP port on the loopback interface.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

use rand::Rng as _;
use tokio::net::TcpListener;

use super::environment::HostEnvironment;
use super::{ServeError, connection::Connection};

/// Longest path that every system takes for a Unix socket (macOS: 104 bytes with the final zero, Linux: 108).
#[cfg(unix)]
const MAX_SOCKET_PATH_BYTES: usize = 100;

/// An address as the handshake line gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Address {
    /// A Unix socket.
    Unix(PathBuf),
    /// A TCP port.
    Tcp(SocketAddr),
}

impl Address {
    /// The word for the kind of address.
    pub(super) fn network(&self) -> &'static str {
        match self {
            Self::Unix(_) => "unix",
            Self::Tcp(_) => "tcp",
        }
    }

    /// The address itself.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Unix(path) => path.display().to_string(),
            Self::Tcp(address) => address.to_string(),
        }
    }
}

/// An open listener. Dropping it removes the socket from the file system.
pub(super) struct Listener {
    kind: Kind,
    address: Address,
    /// The private directory of the socket, removed with everything in it.
    #[cfg(unix)]
    _directory: Option<tempfile::TempDir>,
}

enum Kind {
    #[cfg(unix)]
    Unix(tokio::net::UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// Opens a listener where the host wants it.
    ///
    /// # Errors
    /// No directory takes the socket and no port is free, or the group is unknown.
    pub(super) async fn open(environment: &HostEnvironment) -> Result<Self, ServeError> {
        #[cfg(unix)]
        if let Some(listener) = unix::open(environment)? {
            return Ok(listener);
        }
        Self::open_tcp(environment.ports).await
    }

    async fn open_tcp(ports: Option<(u16, u16)>) -> Result<Self, ServeError> {
        let failed = |error: std::io::Error| ServeError::Listen { message: error.to_string() };
        let listener = match ports {
            None => TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(failed)?,
            Some((least, most)) => bind_in_range(least, most).await?,
        };
        let address = Address::Tcp(listener.local_addr().map_err(failed)?);
        Ok(Self {
            kind: Kind::Tcp(listener),
            address,
            #[cfg(unix)]
            _directory: None,
        })
    }

    /// What the handshake line says.
    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    /// Waits for the next connection.
    pub(super) async fn accept(&self) -> std::io::Result<Connection> {
        match &self.kind {
            #[cfg(unix)]
            Kind::Unix(listener) => Ok(Connection::new(listener.accept().await?.0)),
            Kind::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Ok(Connection::new(stream))
            }
        }
    }
}

/// Starts at a random port, so that plugins started together do not all try the same ones.
async fn bind_in_range(least: u16, most: u16) -> Result<TcpListener, ServeError> {
    let count = u32::from(most - least) + 1;
    let start = rand::rng().random_range(0..count);
    for offset in 0..count {
        // Within the range by the modulus, hence within 16 bits.
        let port = u32::from(least) + (start + offset) % count;
        let Ok(port) = u16::try_from(port) else { continue };
        if let Ok(listener) = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            return Ok(listener);
        }
    }
    Err(ServeError::Listen {
        message: format!("no port from {least} to {most} (PLUGIN_MIN_PORT to PLUGIN_MAX_PORT) is free"),
    })
}

#[cfg(unix)]
mod unix {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, chown};
    use std::path::Path;

    use tempfile::TempDir;
    use tokio::net::UnixListener;

    use super::{Address, Kind, Listener, MAX_SOCKET_PATH_BYTES};
    use crate::serve::ServeError;
    use crate::serve::environment::HostEnvironment;

    /// Opens a socket in a private directory below the first place that gives a short enough path; `None` when none does.
    /// The directory is private from the start, so there is no moment at which another user could connect.
    pub(super) fn open(environment: &HostEnvironment) -> Result<Option<Listener>, ServeError> {
        let temporary = std::env::temp_dir();
        let places = [environment.socket_directory.as_deref(), Some(temporary.as_path()), Some(Path::new("/tmp"))];
        let mut last_error = None;
        for place in places.into_iter().flatten() {
            // `/plugin-` with six random characters, then `/socket`.
            if place.as_os_str().as_bytes().len() + 21 > MAX_SOCKET_PATH_BYTES {
                continue;
            }
            match open_in(place, environment.socket_group.as_deref()) {
                Ok(listener) => return Ok(Some(listener)),
                Err(error) => last_error = Some(error),
            }
        }
        match last_error {
            // A host that names a group may run as another user: TCP without a group would shut it out silently.
            Some(error) if environment.socket_group.is_some() => Err(error),
            _ => Ok(None),
        }
    }

    fn open_in(place: &Path, group: Option<&str>) -> Result<Listener, ServeError> {
        let failed = |error: std::io::Error| ServeError::Listen { message: format!("{}: {error}", place.display()) };
        let directory = tempfile::Builder::new()
            .prefix("plugin-")
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(place)
            .map_err(failed)?;
        let path = directory.path().join("socket");
        let listener = UnixListener::bind(&path).map_err(failed)?;
        match group {
            None => set_permissions(&path, Permissions::from_mode(0o600)).map_err(failed)?,
            Some(group) => admit_group(&directory, &path, group)?,
        }
        Ok(Listener { kind: Kind::Unix(listener), address: Address::Unix(path), _directory: Some(directory) })
    }

    fn admit_group(directory: &TempDir, socket: &Path, group: &str) -> Result<(), ServeError> {
        let failed = |error: std::io::Error| ServeError::Listen {
            message: format!("cannot give the socket to group {group:?} (PLUGIN_UNIX_SOCKET_GROUP): {error}"),
        };
        let id = group_id(group).ok_or_else(|| failed(std::io::ErrorKind::NotFound.into()))?;
        for (path, mode) in [(socket, 0o660), (directory.path(), 0o710)] {
            chown(path, None, Some(id)).map_err(failed)?;
            set_permissions(path, Permissions::from_mode(mode)).map_err(failed)?;
        }
        Ok(())
    }

    /// A group by number, or by its name in the group file.
    fn group_id(group: &str) -> Option<u32> {
        if let Ok(id) = group.parse() {
            return Some(id);
        }
        let groups = std::fs::read_to_string("/etc/group").ok()?;
        groups.lines().find_map(|line| {
            let mut fields = line.split(':');
            (fields.next() == Some(group)).then(|| fields.nth(1)?.parse().ok())?
        })
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn mode(path: &Path) -> u32 {
            std::fs::metadata(path).unwrap().permissions().mode() & 0o777
        }

        #[tokio::test]
        async fn only_the_user_may_open_the_socket_and_it_goes_with_the_listener() {
            let place = tempfile::tempdir().unwrap();
            let environment =
                HostEnvironment { socket_directory: Some(place.path().to_owned()), ..HostEnvironment::default() };
            let listener = open(&environment).unwrap().unwrap();
            let Address::Unix(path) = listener.address().clone() else { panic!("not a Unix socket") };
            assert!(path.starts_with(place.path()));
            assert_eq!(mode(&path), 0o600);
            assert_eq!(mode(path.parent().unwrap()), 0o700);
            drop(listener);
            assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        }

        #[tokio::test]
        async fn a_directory_with_a_long_name_is_passed_over() {
            let place = tempfile::tempdir().unwrap();
            let long = place.path().join("x".repeat(100));
            std::fs::create_dir(&long).unwrap();
            let environment = HostEnvironment { socket_directory: Some(long.clone()), ..HostEnvironment::default() };
            let listener = open(&environment).unwrap().unwrap();
            let Address::Unix(path) = listener.address() else { panic!("not a Unix socket") };
            assert!(!path.starts_with(&long));
            assert!(path.as_os_str().len() <= MAX_SOCKET_PATH_BYTES);
        }

        #[tokio::test]
        async fn a_group_gets_the_socket_and_the_way_to_it() {
            let place = tempfile::tempdir().unwrap();
            let own = std::os::unix::fs::MetadataExt::gid(&std::fs::metadata(place.path()).unwrap());
            let listener = open_in(place.path(), Some(&own.to_string())).unwrap();
            let Address::Unix(path) = listener.address() else { panic!("not a Unix socket") };
            assert_eq!(mode(path), 0o660);
            assert_eq!(mode(path.parent().unwrap()), 0o710);
        }

        #[tokio::test]
        async fn an_unknown_group_is_named() {
            let environment =
                HostEnvironment { socket_group: Some("no such group".to_owned()), ..HostEnvironment::default() };
            let error = open(&environment).err().unwrap();
            assert!(error.to_string().contains("group \"no such group\" (PLUGIN_UNIX_SOCKET_GROUP)"), "{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn takes_another_port_of_the_range_when_one_is_taken() {
        let taken = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = bind_in_range(port, port).await.unwrap_err();
        assert!(error.to_string().contains(&format!("no port from {port} to {port}")), "{error}");
        let most = port.saturating_add(50);
        let other = bind_in_range(port, most).await.unwrap().local_addr().unwrap().port();
        assert!(other != port && (port..=most).contains(&other));
    }
}
