// Covers: chain, node, snapshot, stream
// The cases that usual runs leave out, as those of the older dialect: these files try all of them in a long run.
import "./badDeploys.network.test.js";
import "./forkOrigins.network.test.js";
import "./history.process.test.js";
import "./replica.process.test.js";
import "./snapshots.network.test.js";
