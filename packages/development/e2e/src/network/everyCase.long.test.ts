// Covers: chain, node, sync
// The cases that usual runs leave out, as those of rnode: these files try all of them in a long run.
import "./forkOrigins.network.test.js";
import "./history.process.test.js";
