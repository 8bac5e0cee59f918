// Covers: chain, node, sync
// The recorded chains that usual runs leave out: this file tries all of them in a long run.
import "./newerNode.recorded.process.test.js";
