// Covers: node, replication/snapshot, store, tuplespace
// The kinds of data that usual runs leave out: this file tries all of them in a long run.
import "./repair.process.test.js";
