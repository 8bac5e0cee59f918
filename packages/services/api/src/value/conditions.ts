/** The facts about a condition, for any node. */
export interface ConditionFacts {
  /** The condition, in a sentence. */
  readonly what: string;
  /** The action for the operator of the node. */
  readonly advice: string;
  /** Whether the node answers from what may be old, or from nothing, so that readers are sent elsewhere. */
  readonly isUnready: boolean;
}

/**
 * Every way in which a node is stalled, or does less than its purpose, by its name; the worst ones first. The names are
 * fixed: scripts and alerts go by them.
 *
 * @spec 50 §6.8
 */
export const conditions = {
  diskFull: {
    what: "The disk has less free space than `storage.low-water-mark`: the node writes nothing and only serves reads.",
    advice: "Free disk space, or enlarge the disk; the node resumes by itself.",
    isUnready: true,
  },
  otherNetwork: {
    what: "The called peer belongs to another network, and no other peer is connected.",
    advice: "Set protocol-server.network-id to the network's name, or use a bootstrap of this network.",
    isUnready: true,
  },
  noPeers: {
    what: "No peer is connected, although the node needs one.",
    advice: "Check protocol-client.bootstrap, whether the bootstrap runs, and the firewall; the node keeps trying.",
    isUnready: true,
  },
  cannotJoin: {
    what: "There is no chain yet, and the bootstrap does not deliver the start of one.",
    advice: "Check the bootstrap's log, or use another bootstrap; the node keeps trying.",
    isUnready: true,
  },
  clockBehind: {
    what: "Blocks of more than half of the stake are dated later than this machine's clock allows, and are refused.",
    advice: "Set the machine's clock, preferably with NTP; the node then accepts the blocks.",
    isUnready: true,
  },
  stalled: {
    what: "Blocks wait for execution, or states must be fetched, without progress for two minutes.",
    advice: "Check the log, the peers, and the machine's processors and disk; restart the node.",
    isUnready: true,
  },
  streamStopped: {
    what: "A replica makes no progress with its stream.",
    advice: "Fix the stream or the configuration as the reason states; the replica retries by itself.",
    isUnready: true,
  },
  beyondLimits: {
    what: "A block exceeds the limits of this node; its descendants wait.",
    advice: 'See docs/how-to/operations.md, "Limits of execution".',
    isUnready: false,
  },
  unjudged: {
    what: "Blocks could not be validated; their descendants wait. The node retries after the next change of the chain.",
    advice: "If this persists, find the blocks in the log, and restart the node.",
    isUnready: false,
  },
  clockAhead: {
    what: "New blocks of more than half of the stake are dated long before this machine's clock.",
    advice:
      "Set the machine's clock, preferably with NTP; other nodes refuse blocks that a validator proposes with it.",
    isUnready: false,
  },
  finalityStands: {
    what: "Finality is stalled: the last final block has not changed for a minute, although later blocks exist.",
    advice: "Start the silent validators again; syncStatus.finality lists their keys.",
    isUnready: false,
  },
  historyRefuted: {
    what: "The verified history contradicts the state at which the node started.",
    advice: "Do not rely on this node; compare with nodes that started at genesis, then start again from one of them.",
    isUnready: true,
  },
  proposingWaits: {
    what: "A validator does not propose, because it has not synced with its peers.",
    advice: "Let it reach its peers; it starts proposing by itself.",
    isUnready: false,
  },
  indexFailing: {
    what: "The index is not writable. The chain continues.",
    advice: "Fix the cause that the reason names; the index retries by itself.",
    isUnready: false,
  },
} as const satisfies { readonly [code: string]: ConditionFacts };

/** The name of a condition. */
export type ConditionCode = keyof typeof conditions;

/** All names, the worst first. */
export const conditionCodes = Object.keys(conditions) as readonly ConditionCode[];

/** A condition that holds now. @spec 50 §6.8 */
export interface ConditionView {
  readonly code: ConditionCode;
  /** Unix milliseconds. */
  readonly sinceMs: number;
  /** The fault here, in a sentence that begins in lower case and has no period. */
  readonly reason: string;
}

/** Whether any of them keeps a node from being ready. */
export function areUnready(held: readonly ConditionView[]): boolean {
  return held.some(({ code }) => conditions[code].isUnready);
}

/** Conditions in the form of the status routes. */
export function conditionBodies(held: readonly ConditionView[]) {
  return held.map(({ code, sinceMs, reason }) => {
    const { advice, isUnready } = conditions[code];
    return { code, since: new Date(sinceMs).toISOString(), reason, advice, isUnready };
  });
}
