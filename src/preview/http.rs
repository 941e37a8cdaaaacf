//! The server: sockets, and the translation between the HTTP library's types and ours.

use super::guard::Head;
use super::inject;
use super::reply::{self, Body, Reply};
use super::state::State;
use http_body_util::channel::Channel;
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

/// How long a client may take to send the head of a request.
const HEAD_TIMEOUT: Duration = Duration::from_secs(10);

/// How often an idle stream of updates says that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// Why a preview cannot begin.
#[derive(Debug)]
pub enum PreviewError {
    /// The port cannot be had.
    Listen(SocketAddr, io::Error),
    /// The server's threads cannot be started.
    Start(io::Error),
    /// Changes of the site cannot be noticed.
    Watch(notify::Error),
}

impl fmt::Display for PreviewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen(address, error) => {
                let reason = match error.kind() {
                    io::ErrorKind::AddrInUse => "another program uses this port".to_owned(),
                    io::ErrorKind::PermissionDenied => {
                        "ports below 1024 need special rights".to_owned()
                    }
                    _ => error.to_string(),
                };
                write!(
                    f,
                    "cannot serve on {address}: {reason}; choose another with --port N, or let --port 0 find a free one"
                )
            }
            Self::Watch(error) => write!(f, "cannot watch the site's folders: {error}"),
            Self::Start(error) => write!(f, "cannot start the preview server: {error}"),
        }
    }
}

impl std::error::Error for PreviewError {}

/// A port of this machine, held but not yet answered on.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Takes a port on the loopback interface; 0 takes a free one.
    pub fn bind(port: u16) -> Result<Self, PreviewError> {
        let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let failed = |error| PreviewError::Listen(wanted, error);
        let listener = TcpListener::bind(wanted).map_err(failed)?;
        listener.set_nonblocking(true).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        Ok(Self { listener, address })
    }

    /// Where it will answer.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests from now on, on threads of its own, until the returned value is dropped.
    pub fn start(self, state: Arc<State>) -> Result<Running, PreviewError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("preview")
            .enable_all()
            .build()
            .map_err(PreviewError::Start)?;
        let listener = {
            let _inside = runtime.enter();
            tokio::net::TcpListener::from_std(self.listener).map_err(PreviewError::Start)?
        };
        runtime.spawn(accept(listener, state, self.address.port()));
        Ok(Running {
            runtime: Some(runtime),
            address: self.address,
        })
    }
}

/// A server that answers.
#[derive(Debug)]
pub struct Running {
    runtime: Option<tokio::runtime::Runtime>,
    address: SocketAddr,
}

impl Running {
    /// Where it answers.
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Open streams of updates would be waited for otherwise.
            runtime.shutdown_background();
        }
    }
}

async fn accept(listener: tokio::net::TcpListener, state: Arc<State>, port: u16) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Too many open files, or a client that was gone at once.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // A page is many small files, and waiting to fill packets would show.
        let _ = stream.set_nodelay(true);
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let service = hyper::service::service_fn(move |request| {
                let state = Arc::clone(&state);
                async move { Ok::<_, Infallible>(answer(&state, &request, port)) }
            });
            // A client that breaks off is no fault of ours.
            let _ = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIMEOUT)
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

type Sent = Response<BoxBody<Bytes, Infallible>>;

fn answer(state: &Arc<State>, request: &Request<Incoming>, port: u16) -> Sent {
    let text = |name: HeaderName| {
        // A header that is there and is not text, or is there twice, must not count as absent.
        let mut values = request.headers().get_all(name).iter();
        let first = values.next()?.to_str().unwrap_or("?");
        Some(if values.next().is_some() { "?" } else { first })
    };
    let uri = request.uri();
    let head = Head {
        method: request.method().as_str(),
        target: uri.path_and_query().map_or("", |target| target.as_str()),
        host: text(header::HOST),
        authority: uri.authority().map(hyper::http::uri::Authority::as_str),
        origin: text(header::ORIGIN),
        fetch_site: text(HeaderName::from_static("sec-fetch-site")),
        fetch_mode: text(HeaderName::from_static("sec-fetch-mode")),
    };
    let reply = reply::reply(state, &head, port);
    send(reply, state, request.method())
}

fn send(reply: Reply, state: &Arc<State>, method: &Method) -> Sent {
    let body = match reply.body {
        Body::Events if method == Method::HEAD => Full::default().boxed(),
        Body::Events => events(state).boxed(),
        Body::Bytes(bytes) => Full::new(Bytes::from_owner(bytes)).boxed(),
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::OK);
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(reply.content_type),
    );
    for (name, value) in reply::HEADERS {
        headers.insert(
            HeaderName::from_static(name),
            HeaderValue::from_static(value),
        );
    }
    if reply.status == 405 {
        headers.insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
    }
    if let Some(location) = reply.location.and_then(|to| HeaderValue::try_from(to).ok()) {
        headers.insert(header::LOCATION, location);
    }
    response
}

/// What browsers are told: the present state at once, then every change.
fn events(state: &State) -> Channel<Bytes, Infallible> {
    let (mut sender, body) = Channel::new(1);
    let mut updates = state.subscribe();
    tokio::spawn(async move {
        updates.mark_changed();
        loop {
            let chunk = tokio::select! {
                changed = updates.changed() => match changed {
                    Ok(()) => inject::event(&updates.borrow_and_update()),
                    Err(_) => return,
                },
                () = tokio::time::sleep(KEEP_ALIVE) => ": alive\n\n".to_owned(),
            };
            if sender.send_data(Bytes::from(chunk)).await.is_err() {
                return;
            }
        }
    });
    body
}
