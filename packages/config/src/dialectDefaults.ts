import type { DialectName } from "./dialectName.js";
import type { KeyName } from "./keys.js";

/**
 * What is otherwise where nothing is said, by the network's dialect.
 *
 * @spec 40 §14.5, 61 §18
 */
export const dialectDefaults: Readonly<Record<DialectName, Partial<Record<KeyName, string | number | boolean>>>> = {
  "rnode-scala": {},
  "rnode-rust": {
    "casper.max-number-of-parents": 100,
    "casper.max-parent-depth": 15,
    // Founders alone look at it: all others take it from their chain.
    "casper.fault-tolerance-threshold": 0.67,
    "casper.synchrony-recovery-max-bypasses": 2,
    "casper.synchrony-finalized-baseline-enabled": true,
    "casper.heartbeat.enabled": true,
    "casper.heartbeat.check-interval": "5 seconds",
    "casper.heartbeat.max-lfb-age": "5 seconds",
    "peers-discovery.cleanup-interval": "10 seconds",
    "peers-discovery.heartbeat-failure-threshold": 3,
  },
};
