import type { Key } from "./Key.js";

const lag = { min: 0, max: 2_147_483_647 };

/** Keys of the heartbeat, of relayed deploys and of their price. @spec 50 §5.3 */
export const proposingKeys = {
  "casper.relay-deploys": {
    type: "flag",
    default: false,
    doc: "relay received deploys to peers that are validators, run Vedette and set this key, too",
  },
  "casper.heartbeat.enabled": {
    type: "flag",
    default: false,
    option: "--heartbeat-enabled",
    offOption: "--heartbeat-disabled",
    doc: "propose blocks at regular intervals; true with f1r3node",
  },
  "casper.heartbeat.check-interval": {
    type: "duration",
    default: "30 seconds",
    option: "--heartbeat-check-interval",
    min: 1,
    doc: "interval of the heartbeat; 5 seconds with f1r3node",
  },
  "casper.heartbeat.max-lfb-age": {
    type: "duration",
    default: "60 seconds",
    option: "--heartbeat-max-lfb-age",
    min: 0,
    doc: "maximum age of the last final block; 5 seconds with f1r3node",
  },
  "casper.heartbeat.self-propose-cooldown": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-self-propose-cooldown",
    min: 0,
    doc: "with f1r3node: minimum time from an unfinalized own block to the next own block",
  },
  "casper.heartbeat.stale-recovery-min-interval": {
    type: "duration",
    default: "3 seconds",
    option: "--heartbeat-stale-recovery-min-interval",
    min: 0,
    doc: "with f1r3node: minimum age of the newest block before an empty block follows it",
  },
  "casper.heartbeat.finality-progress-timeout": {
    type: "duration",
    default: "30 seconds",
    min: 1,
    doc: "with f1r3node: wait for the validator with the turn while finality lags",
  },
  "casper.heartbeat.deploy-finalization-grace": {
    type: "duration",
    default: "25 seconds",
    option: "--heartbeat-deploy-finalization-grace",
    min: 0,
    doc: "with f1r3node: time after a block with deploys in which deploy-recovery-max-lag applies",
  },
  "casper.heartbeat.advanced.frontier-chase-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-frontier-chase-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag for empty blocks, in blocks",
  },
  "casper.heartbeat.advanced.pending-deploy-max-lag": {
    type: "int",
    default: 20,
    option: "--heartbeat-advanced-pending-deploy-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag for blocks with pending deploys, in blocks",
  },
  "casper.heartbeat.advanced.deploy-recovery-max-lag": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-deploy-recovery-max-lag",
    ...lag,
    doc: "with f1r3node: maximum finality lag shortly after a block with deploys, and for votes on such blocks",
  },
  "casper.heartbeat.advanced.empty-frontier-max-unfinalized-blocks": {
    type: "int",
    default: 64,
    option: "--heartbeat-advanced-empty-frontier-max-unfinalized-blocks",
    ...lag,
    doc: "with f1r3node: number of unfinalized blocks from which no empty block is proposed",
  },
  "casper.min-phlo-price": {
    type: "long",
    default: 1n,
    option: "--min-phlo-price",
    min: 0,
    doc: "minimum accepted phlo price",
  },
  "casper.disable-late-block-filtering": {
    type: "flag",
    default: true,
    doc: "accepted, without effect: deploys of late blocks are always kept, as with true",
  },
} as const satisfies Record<string, Key>;
