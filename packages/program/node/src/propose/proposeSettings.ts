import type { ProposeConstraints } from "@vedette/chain";
import type { Config } from "@vedette/config";
import type { NodeDialect } from "../dialect/NodeDialect.js";
import type { HeartbeatCaps } from "./CappedRule.js";

/** When a validator proposes. @spec 40 §9.7, §9.9, §9.10, §13, 61 §17 */
export interface ProposeSettings {
  readonly constraints: ProposeConstraints;
  /** Whether blocks are slashed for that no other validator is seen to find invalid; left out: no. @spec 40 §17.5 */
  readonly slashesUnconfirmed?: boolean;
  /** A block is made after every deploy and after every block of others, where deploys wait. */
  readonly autopropose: boolean;
  /** Maximum number of user deploys of a block. Default: the usual limit. */
  readonly maxUserDeploys?: number | undefined;
  /** `undefined`: blocks are made only at a client's request, and never empty. */
  readonly heartbeat: HeartbeatSettings | undefined;
}

/** How a heartbeat beats. @spec 40 §9.10, 61 §17.1 */
export interface HeartbeatSettings {
  readonly checkIntervalMs: number;
  readonly maximumLfbAgeMs: number;
  readonly wakesOnDeploy: boolean;
  /** The caps on f1r3node networks; default: the progress rule of the others. */
  readonly caps?: HeartbeatCaps | undefined;
}

/** Returns the settings of the configuration. @spec 50 §5.3 */
export function proposeSettingsOf(config: Config, dialect: Pick<NodeDialect, "heartbeatCaps">): ProposeSettings {
  return {
    constraints: {
      synchronyThreshold: config["casper.synchrony-constraint-threshold"],
      heightThreshold: config["casper.height-constraint-threshold"],
      recovery: {
        stallWindowMs: config["casper.synchrony-recovery-stall-window"],
        cooldownMs: config["casper.synchrony-recovery-cooldown"],
        maxBypasses: config["casper.synchrony-recovery-max-bypasses"],
        countsFromFinalized: config["casper.synchrony-finalized-baseline-enabled"],
        maxFinalizedDistance: config["casper.synchrony-finalized-baseline-max-distance"],
      },
    },
    slashesUnconfirmed: config["casper.slash-without-confirmation"],
    autopropose: config.autopropose,
    maxUserDeploys: config["casper.max-user-deploys-per-block"],
    heartbeat: config["casper.heartbeat.enabled"]
      ? {
          checkIntervalMs: config["casper.heartbeat.check-interval"],
          maximumLfbAgeMs: config["casper.heartbeat.max-lfb-age"],
          // Ours: in rnode the signal of a deploy does not reach the heartbeat (40 §9.10).
          wakesOnDeploy: true,
          caps: dialect.heartbeatCaps(config),
        }
      : undefined,
  };
}
