use crate::methods::call_method;
use prost::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::{collections::HashMap, error::Error, fs, sync::Arc, time::Duration};
use tokio::{task::JoinSet, time::sleep};
use tonic::{client::Grpc, codegen::http::uri::PathAndQuery, transport::Channel, Code, Request, Status};
use tonic_prost::ProstCodec;

pub type Failure = Box<dyn Error + Send + Sync>;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Case {
    pub name: String,
    pub address: String,
    pub service: String,
    pub method: String,
    pub kind: String,
    pub request: String,
    pub times: usize,
    pub at_once: usize,
    pub rest_ms: u64,
    pub deadline_ms: u64,
    pub cancel_after: usize,
    pub cancel_after_ms: u64,
    pub pause_ms: u64,
    pub pauses: usize,
    pub receive_limit: usize,
    pub keep_alive_ms: u64,
    pub shows: bool,
}

#[derive(Serialize, Default)]
pub struct CallResult {
    pub status: i32,
    pub text: String,
    pub elements: Vec<String>,
    pub shown: String,
}

#[derive(Serialize)]
pub struct CaseResult {
    name: String,
    calls: Vec<CallResult>,
}

/// The common settings of a case's calls.
pub struct Calls {
    pub case: Case,
    channel: Channel,
    request: Vec<u8>,
}

#[derive(Default)]
pub struct Connections(HashMap<(String, u64), Channel>);

impl Connections {
    pub async fn run(&mut self, case: Case) -> Result<CaseResult, Failure> {
        let channel = self.channel(&case)?;
        let request = fs::read(&case.request)?;
        let calls = Arc::new(Calls { case, channel, request });
        let mut results = Vec::new();
        while results.len() < calls.case.times {
            if !results.is_empty() {
                sleep(Duration::from_millis(calls.case.rest_ms)).await;
            }
            let mut group = JoinSet::new();
            for _ in 0..calls.case.at_once {
                let calls = calls.clone();
                group.spawn(async move { call_method(&calls).await });
            }
            for result in group.join_all().await {
                results.push(result?);
            }
        }
        Ok(CaseResult { name: calls.case.name.clone(), calls: results })
    }

    fn channel(&mut self, case: &Case) -> Result<Channel, Failure> {
        let key = (case.address.clone(), case.keep_alive_ms);
        if let Some(known) = self.0.get(&key) {
            return Ok(known.clone());
        }
        let mut endpoint = Channel::from_shared(format!("http://{}", case.address))?;
        if case.keep_alive_ms > 0 {
            let interval = Duration::from_millis(case.keep_alive_ms);
            endpoint = endpoint.http2_keep_alive_interval(interval).keep_alive_while_idle(true);
        }
        let channel = endpoint.connect_lazy();
        self.0.insert(key, channel.clone());
        Ok(channel)
    }
}

/// Makes one call; what the server answers, or how it ended, is the result.
pub async fn call<Q, A>(calls: &Calls) -> Result<CallResult, Failure>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
{
    let mut result = CallResult::default();
    let ended = exchange::<Q, A>(calls, &mut result);
    let ended = match calls.case.cancel_after_ms {
        0 => ended.await,
        // To drop a call is how tonic cancels it.
        ms => tokio::time::timeout(Duration::from_millis(ms), ended)
            .await
            .unwrap_or_else(|_| Err(Status::cancelled("dropped"))),
    };
    if let Err(status) = ended {
        // The status of tonic when its own timer ends a call first: elsewhere that is DEADLINE_EXCEEDED.
        let is_late = status.code() == Code::Cancelled && status.message() == "Timeout expired";
        result.status = if is_late { Code::DeadlineExceeded } else { status.code() } as i32;
        result.text = status.message().to_owned();
    }
    Ok(result)
}

async fn exchange<Q, A>(calls: &Calls, result: &mut CallResult) -> Result<(), Status>
where
    Q: Message + Default + 'static,
    A: Message + Default + 'static,
{
    let Calls { case, channel, request } = calls;
    let message = Q::decode(request.as_slice()).map_err(|error| Status::invalid_argument(error.to_string()))?;
    let mut client = Grpc::new(channel.clone());
    if case.receive_limit > 0 {
        client = client.max_decoding_message_size(case.receive_limit);
    }
    client.ready().await.map_err(|error| Status::unavailable(error.to_string()))?;
    let path = PathAndQuery::try_from(format!("/{}/{}", case.service, case.method))
        .map_err(|error| Status::invalid_argument(error.to_string()))?;
    let codec = ProstCodec::<Q, A>::default();
    if case.kind == "unary" {
        let answer = client.unary(limited(message, case), path, codec).await?;
        return took(case, answer.get_ref(), result);
    }
    let mut answers = if case.kind == "both" {
        let messages = tonic::codegen::tokio_stream::iter([message]);
        client.streaming(limited(messages, case), path, codec).await?.into_inner()
    } else {
        client.server_streaming(limited(message, case), path, codec).await?.into_inner()
    };
    loop {
        if case.pause_ms > 0 && result.elements.len() < case.pauses {
            sleep(Duration::from_millis(case.pause_ms)).await;
        }
        match answers.message().await? {
            None => return Ok(()),
            Some(answer) => took(case, &answer, result)?,
        }
    }
}

fn limited<T>(message: T, case: &Case) -> Request<T> {
    let mut request = Request::new(message);
    if case.deadline_ms > 0 {
        request.set_timeout(Duration::from_millis(case.deadline_ms));
    }
    request
}

/// Notes an element as it is when it is written again.
fn took<A: Message>(case: &Case, answer: &A, result: &mut CallResult) -> Result<(), Status> {
    let bytes = answer.encode_to_vec();
    result.elements.push(hex(&Sha256::digest(&bytes)[..8]));
    if case.shows && result.elements.len() == 1 {
        result.shown = hex(&bytes);
    }
    if case.cancel_after > 0 && result.elements.len() == case.cancel_after {
        return Err(Status::cancelled("dropped"));
    }
    Ok(())
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| DIGITS[digit as usize] as char).collect()
}
