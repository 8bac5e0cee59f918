// Covers: chain, node, sync
// A joiner is killed at more moments than in usual runs: this file has all of them in a long run.
import "./newerNetwork.recorded.process.test.js";
