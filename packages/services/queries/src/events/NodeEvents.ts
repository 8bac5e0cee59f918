import { randomBytes } from "node:crypto";
import type { F1r3nodeMoment } from "@vedette/api";
import type { Chain, ChainEvent, RecordChange } from "@vedette/chain";
import { dropOldest } from "@vedette/errors";
import { type Block, type Dialect, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { answerRulesOf } from "../dialect/AnswerRules.js";
import { EntryEvents } from "./EntryEvents.js";
import { EntryNames } from "./EntryNames.js";
import type { ReportedEvents } from "./EventFilter.js";
import { EventHub, type EventHubOptions } from "./EventHub.js";
import { EventLog } from "./EventLog.js";
import type { NotePort } from "./NotePort.js";
import { ReferenceEvents } from "./ReferenceEvents.js";
import type { TransferPort } from "./TransferPort.js";

/** The parts from which clients follow events. */
export interface ServedEvents extends ReportedEvents {
  readonly log: EventLog;
  readonly hub: EventHub;
  readonly reference: ReferenceEvents;
  /** Monotonic. */
  readonly nowMs: () => number;
}

/** The parts of a node's events. */
export interface NodeEventsOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** Most parents that a block of this network has. */
  readonly maximumParents: number;
  /** Left out: that of rnode. */
  readonly dialect: Dialect;
  /** Whether followers of f1r3node's events receive what final blocks moved. @spec 50 §10.6 */
  readonly reportsFinalTransfers?: boolean | undefined;
  readonly transfers?: TransferPort;
  /** The notes of deploys; without it, events do not contain the errors and output of deploys. */
  readonly notes?: NotePort;
  /** Whether blocks come by a stream, so that all its followers have the same cursors. */
  readonly followsStream?: boolean;
  /** Entries of the log that are kept. */
  readonly capacity?: number;
  readonly limits?: EventHubOptions["limits"];
  readonly turns?: EventHubOptions["turns"];
  readonly held?: EventHubOptions["held"];
}

/** Blocks with events that are wanted soon. */
const recentBlocks = 32;

/** The live events of a node: what happens to its chain, for all subscribers. @spec 50 §4 */
export class NodeEvents {
  /** Names of entries that all followers of the same stream share. */
  readonly names: EntryNames | undefined;
  readonly #options: NodeEventsOptions;
  readonly #log: EventLog;
  readonly #hub: EventHub;
  readonly #reference: ReferenceEvents;
  readonly #recent = new Map<string, Block>();
  #chain: Chain | undefined;

  constructor(options: NodeEventsOptions) {
    const { store, maximumParents, capacity, transfers, notes, limits, turns, held, dialect } = options;
    const nowMs = () => performance.now();
    this.#options = options;
    this.names = options.followsStream === true ? new EntryNames(store) : undefined;
    this.#log = new EventLog({
      ...{ store, names: this.names },
      newId: () => randomBytes(8),
      hasOneParent: maximumParents === 1,
      capacity,
    });
    const findBlock = (hash: Uint8Array) => this.#recent.get(hashKey(hash)) ?? this.#chain?.blocks.find(hash);
    const entries = new EntryEvents({ log: this.#log, findBlock, transfers, notes, nowMs });
    this.#hub = new EventHub({ log: this.#log, entries, nowMs, limits, turns, held });
    const reported = options.reportsFinalTransfers === true ? transfers : undefined;
    this.#reference = new ReferenceEvents({ nowMs, findBlock, dialect, transfers: reported });
  }

  /** For the chain's options. */
  get record(): RecordChange {
    return this.#log.record;
  }

  /** Connections that receive events now. */
  get connections(): number {
    return this.#hub.slots.count;
  }

  /** Must be called with the chain before anything happens to it. */
  open(chain: Chain): void {
    this.#chain = chain;
    this.#log.open(chain.dag, chain.rules.faultToleranceThreshold, chain.findRejections);
  }

  /** Receives everything that happens to the chain. */
  onChainEvent(event: ChainEvent): void {
    if ("block" in event) {
      this.#recent.set(hashKey(event.block.hash), event.block);
      dropOldest(this.#recent, recentBlocks);
    }
    this.#reference.onChainEvent(event);
  }

  /** Receives every block that this node makes. */
  onBlockCreated(block: Block): void {
    this.#reference.onBlockCreated(block);
  }

  /** Receives the moments of a node's start that f1r3node reports. */
  onMoment(moment: F1r3nodeMoment): void {
    this.#reference.onMoment(moment);
  }

  /** Sends all readers away with their cursors, and takes no more. */
  async close(): Promise<void> {
    await Promise.all([this.#hub.close(), this.#reference.close()]);
  }

  /** Returns the parts from which the routes of events are served. */
  get served(): ServedEvents {
    return {
      log: this.#log,
      hub: this.#hub,
      reference: this.#reference,
      reportsTransfers: this.#options.transfers !== undefined,
      reportsNotes: this.#options.notes !== undefined,
      hashOfChannel: answerRulesOf(this.#options.dialect.blockForm).terms.channelHash,
      nowMs: () => performance.now(),
    };
  }
}
