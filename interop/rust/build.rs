//! The messages of packages/services/api/proto, by the descriptors that buf made of them.
use prost::Message;
use prost_types::FileDescriptorSet;
use std::{error::Error, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let path = "../.built/api.binpb";
    println!("cargo:rerun-if-changed={path}");
    let descriptors = FileDescriptorSet::decode(fs::read(path)?.as_slice())?;
    prost_build::Config::new().btree_map(["."]).include_file("all.rs").compile_fds(descriptors)?;
    Ok(())
}
