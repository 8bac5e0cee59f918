// The cases of the other dialect, which usual runs leave out: these files try all of them where they are long tests.
import "./badDeploys.network.test.js";
import "./forkOrigins.network.test.js";
import "./replica.process.test.js";
import "./snapshots.network.test.js";
