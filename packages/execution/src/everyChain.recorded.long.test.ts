// Covers: execution, rholang, tuplespace
// The usual run has one recorded chain of each of these; this one has all.
import "./play/playBlock.chains.test.js";
import "./report/reportBlock.chains.test.js";
import "./trace/traceDeploy.recorded.test.js";
