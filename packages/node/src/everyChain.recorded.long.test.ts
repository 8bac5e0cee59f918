// Covers: node, queries, execution
// The usual run has one recorded chain of each of these; this one has all.
import "./accounts/deploys.chains.test.js";
