//! Where the program around a run listens: a socket in the run's folder, which only the user can look into. Where that cannot be,
//! a port of the loopback interface. A file in the folder says which, with a word that only who can read it knows.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
#[cfg(unix)]
use tokio::net::{UnixListener, UnixStream};

use crate::run::RunFolder;

/// The file in the run's folder.
const FILE: &str = "wrapper.json";

/// The socket beside it.
#[cfg(unix)]
const SOCKET: &str = "wrapper.sock";

/// What is read from.
pub(super) type Reader = Box<dyn AsyncRead + Send + Unpin>;
/// What is written to.
pub(super) type Writer = Box<dyn AsyncWrite + Send + Unpin>;

/// Where the program around a run listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Endpoint {
    place: Place,
    /// Whoever knows it has read the file.
    pub(super) token: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Place {
    /// A socket.
    Unix(PathBuf),
    /// A port of the loopback interface.
    Port(u16),
}

impl Endpoint {
    /// That of a run, if there is a program around it.
    ///
    /// # Errors
    /// The file that says so cannot be read.
    pub fn of(run: &RunFolder) -> io::Result<Option<Self>> {
        match std::fs::read(run.path().join(FILE)) {
            Ok(text) => Ok(Some(serde_json::from_slice(&text)?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn connect(&self) -> io::Result<(Reader, Writer)> {
        match &self.place {
            #[cfg(unix)]
            Place::Unix(path) => Ok(halves(UnixStream::connect(path).await?)),
            #[cfg(not(unix))]
            Place::Unix(_) => Err(io::Error::other("there are no such sockets here")),
            Place::Port(port) => {
                let stream = TcpStream::connect((std::net::Ipv4Addr::LOCALHOST, *port)).await?;
                stream.set_nodelay(true)?;
                Ok(halves(stream))
            }
        }
    }
}

/// Listens for the provider processes of a run.
pub(super) enum Listener {
    #[cfg(unix)]
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Listener {
    /// Listens, and writes down where. `token` is a word that cannot be guessed.
    pub(super) async fn bind(run: &RunFolder, token: &str) -> io::Result<Self> {
        let (listener, place) = Self::somewhere(run).await?;
        let endpoint = Endpoint { place, token: token.to_owned() };
        let aside = run.path().join(format!("{FILE}.new"));
        let mut options = std::fs::OpenOptions::new();
        options.create(true).write(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&aside)?;
        io::Write::write_all(&mut file, &serde_json::to_vec(&endpoint)?)?;
        drop(file);
        std::fs::rename(&aside, run.path().join(FILE))?;
        Ok(listener)
    }

    #[cfg(unix)]
    async fn somewhere(run: &RunFolder) -> io::Result<(Self, Place)> {
        let path = run.path().join(SOCKET);
        match UnixListener::bind(&path) {
            Ok(listener) => Ok((Self::Unix(listener), Place::Unix(path))),
            // A path may be too long for a socket, and some file systems have none.
            Err(_) => Self::on_a_port().await,
        }
    }

    #[cfg(not(unix))]
    async fn somewhere(_: &RunFolder) -> io::Result<(Self, Place)> {
        Self::on_a_port().await
    }

    async fn on_a_port() -> io::Result<(Self, Place)> {
        let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        Ok((Self::Tcp(listener), Place::Port(port)))
    }

    pub(super) async fn accept(&self) -> io::Result<(Reader, Writer)> {
        match self {
            #[cfg(unix)]
            Self::Unix(listener) => Ok(halves(listener.accept().await?.0)),
            Self::Tcp(listener) => {
                let (stream, _) = listener.accept().await?;
                stream.set_nodelay(true)?;
                Ok(halves(stream))
            }
        }
    }
}

fn halves(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> (Reader, Writer) {
    let (reader, writer) = tokio::io::split(stream);
    (Box::new(reader), Box::new(writer))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn where_there_can_be_no_socket_there_is_a_port() {
        let folder = tempfile::tempdir().unwrap();
        // No socket has a path of so many bytes.
        let run = RunFolder::at(folder.path().join("r".repeat(200)), "run").unwrap();
        assert_eq!(Endpoint::of(&run).unwrap(), None);
        let listener = Listener::bind(&run, "word").await.unwrap();
        let endpoint = Endpoint::of(&run).unwrap().unwrap();
        assert!(matches!(endpoint.place, Place::Port(_)) && endpoint.token == "word", "{endpoint:?}");
        let (connected, accepted) = tokio::join!(endpoint.connect(), listener.accept());
        assert!(connected.is_ok() && accepted.is_ok());
    }
}
