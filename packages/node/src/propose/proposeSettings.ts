import type { ProposeConstraints } from "@vedette/chain";
import type { Config } from "@vedette/config";

/** When a validator proposes. @spec 40 §9.7, §9.9, §9.10, §13 */
export interface ProposeSettings {
  readonly constraints: ProposeConstraints;
  /** Whether blocks are slashed for that no other validator is seen to find invalid; left out: no. @spec 40 §17.5 */
  readonly slashesUnconfirmed?: boolean;
  /** A block is made after every deploy and after every block of others. */
  readonly autopropose: boolean;
  /** `undefined`: blocks are made only where somebody asks for them, and never empty. */
  readonly heartbeat:
    | { readonly checkIntervalMs: number; readonly maximumLfbAgeMs: number; readonly wakesOnDeploy: boolean }
    | undefined;
}

/** What the configuration says of it. @spec 50 §5.3 */
export function proposeSettingsOf(config: Config): ProposeSettings {
  return {
    constraints: {
      synchronyThreshold: config["casper.synchrony-constraint-threshold"],
      heightThreshold: config["casper.height-constraint-threshold"],
    },
    slashesUnconfirmed: config["casper.slash-unconfirmed"],
    autopropose: config.autopropose,
    heartbeat: config["casper.heartbeat.enabled"]
      ? {
          checkIntervalMs: config["casper.heartbeat.check-interval"],
          maximumLfbAgeMs: config["casper.heartbeat.max-lfb-age"],
          // Ours: in the reference the signal of a deploy does not reach the heartbeat (40 §9.10).
          wakesOnDeploy: true,
        }
      : undefined,
  };
}
