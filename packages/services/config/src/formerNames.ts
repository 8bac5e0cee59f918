import type { KeyName } from "./keys.js";

/** Names that keys had in earlier versions; files and variables may still use them. */
export const formerNames: ReadonlyMap<string, KeyName> = new Map([
  ["api-server.drain-time", "api-server.drain-timeout"],
  ["api-server.limits.counted-by", "api-server.limits.shared-counter-urls"],
  ["api-server.limits.counted-by-credentials", "api-server.limits.shared-counter-credentials"],
  ["api-server.limits.head-size", "api-server.limits.header-size"],
  ["api-server.limits.head-timeout", "api-server.limits.header-timeout"],
  ["api-server.limits.own-machine", "api-server.limits.apply-to-localhost"],
  ["api-server.limits.requests-at-once", "api-server.limits.request-burst"],
  ["casper.genesis-block-data.judge-by-evidence", "casper.genesis-block-data.equivocation-evidence"],
  ["casper.slash-unconfirmed", "casper.slash-without-confirmation"],
  ["storage.history", "storage.state-retention"],
  ["sync.parallel", "sync.verify-parallelism"],
  ["sync.verify-after", "sync.verify-delay"],
]);
