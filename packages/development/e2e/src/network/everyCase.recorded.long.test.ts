// Covers: chain, node, sync
// The recorded chains that usual runs leave out: this file tries all of them in a long run.
import "./fork.recorded.network.test.js";
import "./f1r3nodeNode.recorded.process.test.js";
import "./otherDialect.recorded.process.test.js";
