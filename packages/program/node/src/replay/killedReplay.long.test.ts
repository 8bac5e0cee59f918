// Covers: chain, node, store
// The chains that usual runs leave out: this file tries all of them in a long run.
import "./killedReplay.process.test.js";
