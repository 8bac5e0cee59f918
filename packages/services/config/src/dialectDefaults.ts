import type { DialectName } from "./dialectName.js";
import type { KeyName } from "./keys.js";

/**
 * The defaults that differ by the network's dialect: those of its own node.
 *
 * @spec 40 §14.5, 61 §18.1
 */
export const dialectDefaults: Readonly<Record<DialectName, Partial<Record<KeyName, string | number | boolean>>>> = {
  rnode: {},
  f1r3node: {
    "api-server.max-blocks-limit": 100,
    "api-server.enable-reporting": true,
    "api-server.exploratory-deploy-phlo-limit": 5_000_000,
    "api-server.exploratory-deploy-execution-timeout": "15 seconds",
    "casper.casper-loop-interval": "750 ms",
    "casper.enable-mergeable-channel-gc": true,
    "casper.synchrony-constraint-threshold": 0,
    "casper.genesis-ceremony.approve-duration": "10 seconds",
    "metrics.prometheus": true,
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
