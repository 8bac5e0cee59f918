import type { AddressInfo } from "node:net";
import { type BlockExecution, Chain, type ChainEvent, type ChainRules } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { type Block, type Dialect, rejectedIdsOf, rnode } from "@vedette/protocol";
import { type EventHubOptions, NodeEvents, type TransferPort } from "@vedette/queries/events";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import type { FastifyInstance } from "fastify";
import { bareServer, type ServerOptions } from "../http/bareServer.js";
import { rnodeHttpConventions } from "../http/conventions/rnodeHttpConventions.js";
import { eventSockets } from "../http/eventRoutes.js";
import { registerSockets } from "../http/sockets.js";

/** Reports for every block that its execution led to the state that the block contains. */
class TrustedExecution implements BlockExecution {
  readonly #bondsAt = new Map<string, Block["body"]["state"]["bonds"]>();

  async parentsPostState({ body }: Block) {
    return { stateHash: body.state.preStateHash, rejectedDeploys: rejectedIdsOf(body) };
  }

  async replay({ block }: { readonly block: Block }) {
    const { postStateHash, bonds } = block.body.state;
    this.#bondsAt.set(toHex(postStateHash), bonds);
    return { kind: "replayed", postStateHash } as const;
  }

  async bonds(stateHash: Uint8Array) {
    return this.#bondsAt.get(toHex(stateHash)) ?? [];
  }
}

/** How a node of a test differs from the usual one. */
export interface EventsNodeOptions {
  readonly store?: Store;
  readonly rules?: Partial<ChainRules>;
  readonly transfers?: TransferPort;
  /** The dialect of the events; blocks are judged by that of the rules. */
  readonly dialect?: Dialect;
  readonly reportsFinalTransfers?: boolean;
  readonly capacity?: number;
  readonly limits?: EventHubOptions["limits"];
  readonly turns?: EventHubOptions["turns"];
  readonly held?: EventHubOptions["held"];
  readonly register?: (server: FastifyInstance) => void;
  readonly server?: ServerOptions;
}

/** A chain of blocks that are not executed, and a server that sends its events. */
export class EventsNode implements AsyncDisposable {
  readonly chain: Chain;
  readonly store: Store;
  readonly events: NodeEvents;
  readonly chainEvents: ChainEvent[] = [];
  readonly server: FastifyInstance;

  private constructor({ store, rules, register, server, ...options }: EventsNodeOptions) {
    this.store = store ?? new MemoryStore(tablesOf("chain"));
    const allRules: ChainRules = {
      dialect: rnode,
      shardName: "root",
      maximumParents: 1,
      maximumParentDepth: undefined,
      minimumPhloPrice: 0n,
      faultToleranceThreshold: 0,
      finalizationRate: 1,
      emptyStateHash: new Uint8Array(32),
      ...rules,
    };
    this.events = new NodeEvents({
      store: this.store,
      maximumParents: allRules.maximumParents,
      dialect: rnode,
      ...options,
    });
    this.chain = new Chain({
      store: this.store,
      rules: allRules,
      execution: new TrustedExecution(),
      nowMs: () => Date.now() + 10 * 365 * 86_400_000,
      emit: (event) => {
        this.chainEvents.push(event);
        this.events.onChainEvent(event);
      },
      record: this.events.record,
    });
    this.events.open(this.chain);
    this.server = bareServer("public", rnodeHttpConventions, server);
    register?.(this.server);
    registerSockets(this.server, [eventSockets(this.server, this.events.served)]);
  }

  static async start(options: EventsNodeOptions = {}): Promise<EventsNode> {
    const node = new EventsNode(options);
    await node.server.listen({ host: "127.0.0.1", port: 0 });
    return node;
  }

  get port(): number {
    return (this.server.server.address() as AddressInfo).port;
  }

  /** Takes blocks in the order of what they depend on; the first one may be the chain's first. */
  async take(blocks: readonly Block[]): Promise<void> {
    let waiting = [...blocks];
    if (this.chain.dag.approvedBlock() === undefined) this.chain.insertApproved(waiting.shift()!);
    for (;;) {
      const next = waiting.find((block) => this.chain.missingDependencies(block).length === 0);
      if (next === undefined) return;
      waiting = waiting.filter((block) => block !== next);
      await this.chain.process(next, true);
    }
  }

  /** Closes the server, and leaves the store open for another node. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }
}
