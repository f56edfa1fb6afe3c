//! Who stands between a host and a provider changes nothing of what they say.

use std::io::Write as _;

use bytes::Bytes;
use denobridge_raw_client::{Answers, Plugin, every_procedure, soon};
use denobridge_terraform::proto::tfplugin6 as pb;
use http_body_util::{BodyExt as _, Full};
use prost::Message as _;
use tonic::body::Body;
use tonic::codegen::{Service as _, http};
use tonic::transport::Channel;

use super::support::{PROGRAM, script};

const TAPPED: &str = env!("CARGO_BIN_EXE_terraform-provider-tapped");
const ECHO: &str = env!("CARGO_BIN_EXE_terraform-provider-echo");

/// The procedures that observers are asked about, in either protocol.
const OBSERVED: [&str; 9] = [
    "ConfigureProvider",
    "Configure",
    "ReadResource",
    "PlanResourceChange",
    "ApplyResourceChange",
    "ImportResourceState",
    "ReadDataSource",
    "OpenEphemeralResource",
    "InvokeAction",
];

async fn tapped(program: &str, observer: &str, more: &[(&str, &str)]) -> Plugin {
    let variables = [&[("TAP_PROGRAM", program), ("TAP_OBSERVER", observer)], more].concat();
    Plugin::start_with(TAPPED, &variables).await
}

/// An answer, as it stood on the wire.
#[derive(Debug, PartialEq)]
struct Raw {
    head: Vec<(String, String)>,
    body: Bytes,
    trailers: Vec<(String, String)>,
}

fn listed(headers: &http::HeaderMap) -> Vec<(String, String)> {
    let mut listed: Vec<_> = headers.iter().map(|(name, value)| (name.to_string(), format!("{value:?}"))).collect();
    // When it was sent, and how long it is, which HTTP knows without.
    listed.retain(|(name, _)| name != "date" && name != "content-length");
    listed.sort();
    listed
}

async fn call(channel: &Channel, path: &str, body: impl Into<Bytes>) -> Raw {
    call_with(channel, path, body, &[]).await
}

/// With these headers among those that hosts send, and others that nobody knows.
async fn call_with(channel: &Channel, path: &str, body: impl Into<Bytes>, more: &[(&str, &str)]) -> Raw {
    let mut request = http::Request::post(format!("http://localhost{path}"))
        .header("content-type", "application/grpc")
        .header("te", "trailers")
        .header("user-agent", "grpc-go/1.71.0")
        .header("grpc-accept-encoding", "gzip")
        .header("grpc-timeout", "59S")
        .header("x-of-the-host", "a, b")
        .header("x-bytes-bin", "AAEC");
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::new(Full::new(body.into()))).unwrap();
    let mut channel = channel.clone();
    std::future::poll_fn(|context| channel.poll_ready(context)).await.unwrap();
    let (head, body) = soon(path, channel.call(request)).await.unwrap().into_parts();
    let collected = soon(path, body.collect()).await.unwrap();
    let trailers = collected.trailers().map(listed).unwrap_or_default();
    Raw { head: listed(&head.headers), body: collected.to_bytes(), trailers }
}

fn framed(message: &[u8]) -> Bytes {
    let length = u32::try_from(message.len()).unwrap().to_be_bytes();
    [&[0], length.as_slice(), message].concat().into()
}

/// A request that is of every kind at once: its only field is of a protocol to come.
fn request_of_tomorrow() -> Bytes {
    framed(b"\xc2\x3e\x06future")
}

fn paths(protocol: &str) -> Vec<String> {
    let of_provider = OBSERVED.iter().chain(&[
        "GetProviderSchema",
        "GetSchema",
        "GetMetadata",
        "GetResourceIdentitySchemas",
        "StopProvider",
        "Stop",
        "OfTomorrow",
        "StreamOfTomorrow",
        "FailOfTomorrow",
    ]);
    let mut paths: Vec<String> =
        of_provider.map(|procedure| format!("/tfplugin{protocol}.Provider/{procedure}")).collect();
    paths.extend(["/grpc.health.v1.Health/Check", "/plugin.GRPCStdio/StreamStdio", "/x.Y/Z"].map(str::to_owned));
    paths
}

#[tokio::test]
async fn m22_bytes_pass_both_ways_as_they_are_in_both_protocols() {
    for protocol in ["5", "6"] {
        let of_protocol = [("ECHO_PROTOCOL", protocol)];
        let direct = Plugin::start_with(ECHO, &of_protocol).await;
        let none = tapped(ECHO, "", &of_protocol).await;
        let quiet = tapped(ECHO, "quiet", &of_protocol).await;
        for plugin in [&none, &quiet] {
            assert_eq!(plugin.fields[1], protocol, "the provider chooses");
        }
        let channels = (direct.connect().await, none.connect().await, quiet.connect().await);
        for path in paths(protocol) {
            let expected = call(&channels.0, &path, request_of_tomorrow()).await;
            assert!(path.contains("Fail") || expected.body.windows(6).any(|window| window == b"future"), "{path}");
            assert_eq!(call(&channels.1, &path, request_of_tomorrow()).await, expected, "{path}");
            assert_eq!(call(&channels.2, &path, request_of_tomorrow()).await, expected, "{path}, observed");
        }
    }
}

#[tokio::test]
async fn m22_what_observers_say_stands_behind_the_original_bytes() {
    let direct = Plugin::start(ECHO).await;
    let loud = tapped(ECHO, "loud", &[]).await;
    let (direct, loud) = (direct.connect().await, loud.connect().await);
    for procedure in OBSERVED {
        let path = format!("/tfplugin6.Provider/{procedure}");
        let expected = call(&direct, &path, request_of_tomorrow()).await;
        let answer = call(&loud, &path, request_of_tomorrow()).await;
        assert_eq!((&answer.head, &answer.trailers), (&expected.head, &expected.trailers), "{procedure}");
        let at = if procedure == "InvokeAction" {
            // The event of tomorrow is as it was; the last one has more in it.
            let first = expected.body.len() - 7;
            assert_eq!(answer.body[..first], expected.body[..first]);
            first + 5
        } else {
            5
        };
        let (added, original) = (&answer.body[at..], &expected.body[at..]);
        assert!(added.starts_with(original), "{procedure}");
        assert!(added.windows(4).any(|window| window == b"seen"), "{procedure}: {added:?}");
    }
    let answer = call(&loud, "/tfplugin6.Provider/ReadResource", request_of_tomorrow()).await;
    let read = pb::read_resource::Response::decode(&answer.body[5..]).unwrap();
    assert_eq!(read.diagnostics[0].summary, "seen");
    let answer = call(&loud, "/tfplugin6.Provider/FailOfTomorrow", request_of_tomorrow()).await;
    assert_eq!(answer, call(&direct, "/tfplugin6.Provider/FailOfTomorrow", request_of_tomorrow()).await);
}

fn gzip(message: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(message).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn m22_what_is_compressed_passes_as_it_is_and_is_read_from_a_copy() {
    let direct = Plugin::start(ECHO).await;
    let (quiet, loud) = (tapped(ECHO, "quiet", &[]).await, tapped(ECHO, "loud", &[]).await);
    let (direct, quiet, loud) = (direct.connect().await, quiet.connect().await, loud.connect().await);
    let mut request = framed(&gzip(&request_of_tomorrow()[5..])).to_vec();
    request[0] = 1;
    for encoding in ["gzip", "of-tomorrow"] {
        let headers = [("grpc-encoding", "gzip"), ("x-answer-in", encoding)];
        for procedure in OBSERVED.iter().chain(&["GetProviderSchema", "GetMetadata"]) {
            let path = format!("/tfplugin6.Provider/{procedure}");
            let expected = call_with(&direct, &path, request.clone(), &headers).await;
            assert_eq!(expected.body[0], 1, "{procedure}");
            let answer = call_with(&quiet, &path, request.clone(), &headers).await;
            assert_eq!(answer, expected, "{procedure}, {encoding}");
        }
        let path = "/tfplugin6.Provider/ReadResource";
        let answer = call_with(&loud, path, request.clone(), &headers).await;
        if encoding == "gzip" {
            // What observers add stands behind the message as it was, which is not compressed any more.
            assert_eq!(answer.body[0], 0);
            let read = pb::read_resource::Response::decode(&answer.body[5..]).unwrap();
            assert_eq!(read.diagnostics[0].summary, "seen");
            assert!(answer.body.windows(12).any(|window| window == b"grpc-timeout"));
        } else {
            assert_eq!(answer, call_with(&direct, path, request.clone(), &headers).await, "nobody here can read it");
        }
    }
    let headers = [("grpc-encoding", "of-tomorrow")];
    let refused = call_with(&loud, "/tfplugin6.Provider/ReadResource", request, &headers).await;
    assert!(refused.head.contains(&("grpc-status".to_owned(), "\"12\"".to_owned())), "{refused:?}");
}

/// M25: the provider sees nothing of what is refused.
#[tokio::test]
async fn m25_a_refusal_stands_in_place_of_the_answer() {
    let plugin = tapped(ECHO, "refusing", &[]).await;
    let channel = plugin.connect().await;
    for procedure in OBSERVED {
        let answer = call(&channel, &format!("/tfplugin6.Provider/{procedure}"), request_of_tomorrow()).await;
        assert!(!answer.body.windows(6).any(|window| window == b"future"), "{procedure}");
        assert!(answer.body.windows(15).any(|window| window == b"by the observer"), "{procedure}");
        assert!(answer.trailers.contains(&("grpc-status".to_owned(), "\"0\"".to_owned())), "{procedure}: {answer:?}");
    }
    // It wants plans of deletions, and says so.
    let answer = call(&channel, "/tfplugin6.Provider/GetProviderSchema", request_of_tomorrow()).await;
    let schema = pb::get_provider_schema::Response::decode(&answer.body[5..]).unwrap();
    assert!(schema.server_capabilities.unwrap().plan_destroy);
}

fn told(answers: &Answers) -> Vec<String> {
    let told = |answer: &Result<_, tonic::Status>| match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(status) => format!("{:?} {}", status.code(), status.message()),
    };
    answers.iter().map(|(name, answer)| format!("{name}: {}", told(answer))).collect()
}

#[tokio::test]
async fn m22_a_session_of_every_procedure_is_the_same() {
    let expected = told(&every_procedure(&Plugin::start(PROGRAM).await, &script("y")).await);
    for observer in ["", "quiet"] {
        let plugin = tapped(PROGRAM, observer, &[]).await;
        assert_eq!(told(&every_procedure(&plugin, &script("y")).await), expected, "{observer:?}");
    }
    let loud = every_procedure(&tapped(PROGRAM, "loud", &[]).await, &script("y")).await;
    for (name, answer) in &loud {
        let said = &answer.as_ref().unwrap().said;
        let is_observed = OBSERVED.contains(&name.split(' ').next().unwrap_or_default());
        assert_eq!(said.iter().any(|said| said == "seen: by the observer"), is_observed, "{name}: {said:?}");
    }
}

#[tokio::test]
async fn the_observer_finishes_before_the_provider_is_asked_to_end() {
    let mut plugin = tapped(ECHO, "quiet", &[("PLUGIN_PROTOCOL_VERSIONS", "6,5,4")]).await;
    plugin.stderr_line_with("offered 6,5,4").await;
    let channel = plugin.connect().await;
    call(&channel, "/tfplugin6.Provider/StopProvider", framed(b"")).await;
    plugin.stderr_line_with("the observer hears of the stop").await;
    let answer = call(&channel, "/plugin.GRPCController/Shutdown", framed(b"")).await;
    assert_eq!(answer.body, framed(b""));
    plugin.stderr_line_with("the observer finishes").await;
    plugin.stderr_line_with("asked to end").await;
    assert!(soon("the end", plugin.child.wait()).await.unwrap().success());
}

#[tokio::test]
async fn a_provider_that_crashes_is_unavailable_and_what_it_said_is_passed_on() {
    let mut plugin = tapped(ECHO, "quiet", &[]).await;
    let channel = plugin.connect().await;
    for path in ["/tfplugin6.Provider/Crash", "/tfplugin6.Provider/ReadResource"] {
        let answer = call(&channel, path, request_of_tomorrow()).await;
        let status = ("grpc-status".to_owned(), "\"14\"".to_owned());
        assert!(answer.head.contains(&status) || answer.trailers.contains(&status), "{path}: {answer:?}");
    }
    plugin.stderr_line_with("panic: deliberate").await;
}

#[tokio::test]
async fn a_provider_that_does_not_start_is_no_handshake() {
    for program in ["/nothing/is/here", "/bin/false"] {
        let mut command = tokio::process::Command::new(TAPPED);
        command.env(denobridge_raw_client::COOKIE.0, denobridge_raw_client::COOKIE.1).env("TAP_PROGRAM", program);
        let output = soon(program, command.output()).await.unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(output.stdout.is_empty(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("the provider example/tapped"), "{said}");
    }
}
