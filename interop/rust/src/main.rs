//! A client of a node's gRPC services with the settings that tonic has by itself. It makes the calls that a file
//! lists, and writes a line of JSON for each case: ../README.md.
mod calls;
mod methods;

use calls::{Case, Connections, Failure};
use std::{env, fs};

/// The messages of all services.
pub mod messages {
    #![allow(clippy::all, dead_code)]
    include!(concat!(env!("OUT_DIR"), "/all.rs"));
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let path = env::args().nth(1).ok_or("usage: interop <file of cases>")?;
    let cases: Vec<Case> = serde_json::from_str(&fs::read_to_string(path)?)?;
    let mut connections = Connections::default();
    for case in cases {
        let result = connections.run(case).await?;
        println!("{}", serde_json::to_string(&result)?);
    }
    Ok(())
}
