// Covers: chain, execution
// The usual run has one recorded chain of each of these; this one has all.
import "./genesis/ceremony.test.js";
import "./genesis/genesis.test.js";
