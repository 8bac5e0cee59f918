/** What is known of a condition, whatever node it befalls. */
export interface ConditionFacts {
  /** What holds, in a sentence. */
  readonly what: string;
  /** What somebody who runs the node can do about it. */
  readonly advice: string;
  /** Whether the node answers from what may be old, or from nothing, so that readers are sent elsewhere. */
  readonly isUnready: boolean;
}

/**
 * Every way in which a node stands still, or does less than it is there for, by its name; the worst ones first. The
 * names are fixed: scripts and alerts go by them.
 *
 * @spec 50 §6.8
 */
export const conditions = {
  diskFull: {
    what: "The disk has less room than `storage.low-water-mark`: nothing is written, reads go on.",
    advice: "Free some space, or enlarge the disk; the node goes on by itself.",
    isUnready: true,
  },
  otherNetwork: {
    what: "The peer that was called is of another network, and no other peer is connected.",
    advice: "Set protocol-server.network-id to the network's name, or name a bootstrap of this network.",
    isUnready: true,
  },
  noPeers: {
    what: "No peer is connected, though one is expected.",
    advice:
      "Check protocol-client.bootstrap, that the bootstrap runs, and that the firewall lets its ports through; the node calls it again and again.",
    isUnready: true,
  },
  cannotJoin: {
    what: "There is no chain yet, and the bootstrap does not give what is needed to begin with one.",
    advice: "Look at the bootstrap's log, or name another bootstrap; the node asks again and again.",
    isUnready: true,
  },
  clockBehind: {
    what: "Blocks by more than half of the stake are dated later than this machine's clock allows, and are refused.",
    advice: "Set the machine's clock, best by NTP; the blocks are taken then.",
    isUnready: true,
  },
  stalled: {
    what: "There are blocks to execute or states to fetch, and nothing has got done for two minutes.",
    advice: "Look at the log, at the peers and at the machine's processors and disk; start the node again.",
    isUnready: true,
  },
  streamStopped: {
    what: "A replica does not go on with its stream.",
    advice: "The reason says what: mend the stream or the configuration; the replica looks again by itself.",
    isUnready: true,
  },
  beyondLimits: {
    what: "A block takes more than this node gives one block; what builds on it waits.",
    advice: 'See docs/how-to/operations.md, "Limits of execution".',
    isUnready: false,
  },
  unjudged: {
    what: "Blocks could not be judged; what builds on them waits. They are tried again when the chain has changed.",
    advice: "Where it does not pass, look for the blocks in the log, and start the node again.",
    isUnready: false,
  },
  clockAhead: {
    what: "Blocks that peers have just told of, by more than half of the stake, are dated long before this machine's clock.",
    advice: "Set the machine's clock, best by NTP; others refuse what a validator makes with it.",
    isUnready: false,
  },
  finalityStands: {
    what: "There are blocks above the last final one, which has not changed for a minute.",
    advice: "Validators that are silent have to be started again; their keys stand in syncStatus.finality.",
    isUnready: false,
  },
  historyRefuted: {
    what: "What lies before the state that the node began with does not lead to that state.",
    advice: "Do not rely on this node; compare with nodes that began at genesis, then begin anew from one of them.",
    isUnready: true,
  },
  proposingWaits: {
    what: "A validator makes no blocks, since it does not know yet what its peers know.",
    advice: "Let it reach its peers; it begins by itself.",
    isUnready: false,
  },
  indexFailing: {
    what: "The index cannot be written. The chain goes on.",
    advice: "The reason says what; the index tries again by itself.",
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
  /** What is wrong here, in a sentence that begins in lower case and has no point. */
  readonly reason: string;
}

/** Whether any of them keeps a node from being ready. */
export function areUnready(held: readonly ConditionView[]): boolean {
  return held.some(({ code }) => conditions[code].isUnready);
}

/** As the status routes tell them. */
export function conditionBodies(held: readonly ConditionView[]) {
  return held.map(({ code, sinceMs, reason }) => {
    const { advice, isUnready } = conditions[code];
    return { code, since: new Date(sinceMs).toISOString(), reason, advice, isUnready };
  });
}
