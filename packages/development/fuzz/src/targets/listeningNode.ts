import { setImmediate } from "node:timers/promises";
import type { TestValidator } from "@vedette/chain/testing";
import { type Block, encodeBlock, encodePacket, hashKey } from "@vedette/protocol";
import { Engine, rnodeJoin, type SyncEvent, type Timers } from "@vedette/sync";
import { chainPorts, FakePeers, testPeer } from "@vedette/sync/testing";
import { must } from "../driver/Target.js";
import { floorPorts } from "./floorPorts.js";

const turnsToSettle = 200;
const calmTurns = 3;

/** The engine of a node that has a chain, and peers that send it anything. */
export class ListeningNode {
  readonly validator: TestValidator;
  readonly peers = new FakePeers(testPeer("liar"));
  readonly events: SyncEvent[] = [];
  readonly #engine: Engine;
  readonly #ended = new AbortController();
  #run: Promise<unknown> = Promise.resolve();

  constructor(validator: TestValidator, genesis: Block, clock = new ManualClock()) {
    this.validator = validator;
    this.peers.packetForm = validator.dialect.packetForm;
    this.#engine = new Engine({
      beginning: "importState",
      join: rnodeJoin,
      bootstrap: undefined,
      shardName: "root",
      dialect: validator.dialect,
      modes: { genesisValidator: false, ceremonyMaster: false },
      peers: this.peers,
      // The chain's: what waits for a block is written together with it.
      store: validator.store,
      ...chainPorts(validator.chain),
      ...floorPorts(validator.chain, validator.f1r3node),
      approved: {
        get: () => ({ candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] }),
        adoptGenesis: async () => ({ kind: "invalid", status: "InvalidTransaction", inDag: false }),
        adoptImported: async () => {},
      },
      stateImport: {
        hasRoot: async () => true,
        missing: async () => [],
        importPage: async () => ({ nextPath: undefined, isNew: true }),
        recordRoot: async () => {},
      },
      stateExport: { exportPage: async () => undefined },
      emit: (event) => this.events.push(event),
      nowMs: () => clock.nowMs,
      timers: clock,
    });
  }

  async begin(): Promise<this> {
    this.#run = this.#engine.run(this.#ended.signal).then(
      () => "ended",
      (error: unknown) => error,
    );
    await setImmediate();
    return this;
  }

  has({ hash }: Block): boolean {
    return this.validator.chain.dag.has(hash);
  }

  async receive(type: string, content: Uint8Array, from = "liar"): Promise<void> {
    await this.#engine.handlePacket(testPeer(from), type, content);
  }

  /** Receives a block as from a peer. The node ignores blocks that were not announced. */
  async receiveBlock(block: Block, isAnnounced = true, from = "liar"): Promise<void> {
    const { hash, sender } = block;
    if (isAnnounced)
      await this.receive("BlockHashMessage", encodePacket("BlockHashMessage", { hash, blockCreator: sender }), from);
    await this.receive("BlockMessage", encodeBlock(block), from);
  }

  /** Waits until the node has judged all blocks that it can judge. */
  async settle(): Promise<void> {
    const { dag } = this.validator.chain;
    let seen = -1;
    let calm = 0;
    for (let turn = 0; turn < turnsToSettle && calm < calmTurns; turn += 1) {
      const now = this.#engine.status().validatableBlocks > 0 ? -1 : dag.changes + this.events.length;
      calm = now === seen && now >= 0 ? calm + 1 : 0;
      seen = now;
      await setImmediate();
    }
  }

  /** Checks that the engine still runs and that every failure is a refusal. @throws {Mismatch} */
  checkRuns(): void {
    const failures = this.events.flatMap((event) => (event.type === "blockFailed" ? [event.reason] : []));
    const fault = failures.find((reason) => !isMeant(reason));
    must(fault === undefined, () => `a block fails checks only with known reasons: ${fault}`);
    must(this.#engine.status().state === "running", "the engine keeps running");
    const said = this.peers.take();
    must(said.length < 500, "what peers send is answered within bounds");
    for (const { message } of said) if (message.type === "BlockHashMessage") this.#checkGossip(message.message.hash);
  }

  /** Checks that no block of a stranger is announced. @throws {Mismatch} */
  #checkGossip(hash: Uint8Array): void {
    const { dag } = this.validator.chain;
    const block = dag.find(hash);
    must(block !== undefined, "a block that is not in the DAG is announced to no peer");
    must(
      !block.invalid || dag.isBonded(hashKey(block.sender)),
      "an invalid block of a key without stake is announced to no peer",
    );
  }

  /** @throws {Mismatch} where the engine ended by a fault of the program */
  async end(): Promise<void> {
    this.#ended.abort();
    const end = await this.#run;
    must(!(end instanceof TypeError || end instanceof RangeError), () => `the engine ended with ${String(end)}`);
  }
}

/** A missing fact of the DAG is reported in our words; a fault of the program is not. */
function isMeant(reason: string): boolean {
  return !/TypeError|RangeError|Cannot |Invalid |is not a |is not iterable|undefined|null|BigInt/.test(reason);
}

/** Time that goes by only when a test advances it. */
export class ManualClock implements Timers {
  nowMs = 1_000_000;
  readonly #waiting = new Set<{ readonly atMs: number; readonly action: () => void }>();

  after(ms: number, action: () => void): () => void {
    const one = { atMs: this.nowMs + ms, action };
    this.#waiting.add(one);
    return () => void this.#waiting.delete(one);
  }

  async yieldNow(): Promise<void> {
    await setImmediate();
  }

  /** Lets time go by, and what it brings about. */
  async pass(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    while (this.#next(endMs)) await setImmediate();
  }

  /** Goes to what is due next, until a time. @returns whether there was something */
  #next(endMs: number): boolean {
    let first: { readonly atMs: number; readonly action: () => void } | undefined;
    for (const one of this.#waiting) if (one.atMs <= endMs && one.atMs < (first?.atMs ?? Infinity)) first = one;
    this.nowMs = first?.atMs ?? endMs;
    if (first === undefined) return false;
    this.#waiting.delete(first);
    first.action();
    return true;
  }
}
