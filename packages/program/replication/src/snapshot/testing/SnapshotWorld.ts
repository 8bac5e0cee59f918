import { BlockTable, Dag } from "@vedette/chain";
import { transferTerm } from "@vedette/client";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { accountGenesis, SoloValidator, testKey, userDeploy } from "@vedette/node/testing";
import { type Block, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { rnodeSpace } from "@vedette/tuplespace";
import { type CreatedSnapshot, type CreateOptions, createSnapshot } from "../createSnapshot.js";
import type { Manifest } from "../manifest/Manifest.js";
import type { SnapshotStorage } from "../place/SnapshotStorage.js";
import { restoreSnapshot } from "../restoreSnapshot.js";

const beginMs = 1_700_000_000_000;
const addressOf = (user: string) => vaultAddressOfPublicKey(testKey(user).publicKey)!;

/** A validator with a chain in memory, of which snapshots are made. */
export class SnapshotWorld {
  readonly state = new MemoryStore(tablesOf("state"));
  readonly chain = new MemoryStore(tablesOf("chain"));
  #validator: SoloValidator | undefined;
  #height = 0;

  /** @param isIdle whether its blocks move nothing, which is quicker */
  static async begin(blocks: number, genesis?: Block, isIdle = false): Promise<SnapshotWorld> {
    const world = new SnapshotWorld();
    const options = { stateStore: world.state, store: world.chain, nowMs: () => beginMs + 1_000 * world.#height };
    world.#validator = await SoloValidator.begin("v1", genesis ?? (await accountGenesis()), options);
    for (let made = 0; made < blocks; made += 1) await world.grow(isIdle);
    return world;
  }

  async grow(isIdle = false): Promise<Block> {
    this.#height += 1;
    const options = { timestamp: BigInt(beginMs + this.#height), validAfterBlockNumber: BigInt(this.#height - 1) };
    const term = isIdle ? "Nil" : transferTerm(addressOf("u1"), addressOf("u2"), BigInt(this.#height), "rnode");
    await this.#validator!.proposing.submit(userDeploy("u1", term, options));
    return this.#validator!.make();
  }

  get source() {
    const { state, chain } = this;
    return {
      dialect: rnode,
      form: rnodeSpace,
      state,
      dag: new Dag(chain),
      blocks: new BlockTable(chain, { form: rnode.blockForm }),
    };
  }

  create(
    place: SnapshotStorage,
    change: Partial<Pick<CreateOptions, "at" | "maker" | "blocksFrom" | "thresholdPpm">> = {},
  ): Promise<CreatedSnapshot> {
    const options = { source: this.source, place, nowMs: () => beginMs, report: () => {} };
    return createSnapshot({ ...options, ...change, signal: new AbortController().signal });
  }
}

/** A data directory in memory that is filled from a snapshot. */
export class RestoredNode {
  readonly state = new MemoryStore(tablesOf("state"));
  readonly chain = new MemoryStore(tablesOf("chain"));
  readonly done = new Set<string>();

  restore(
    place: SnapshotStorage,
    manifest: Manifest,
    change: {
      readonly trusted?: string;
      readonly shard?: string;
      readonly maker?: string;
      readonly signal?: AbortSignal;
    } = {},
  ): Promise<Block> {
    const { state, chain, done } = this;
    const progress = { has: (hash: string) => done.has(hash), add: (hash: string) => void done.add(hash) };
    return restoreSnapshot({
      ...{ place, manifest, dialect: rnode, form: rnodeSpace, chain, state, progress: progress },
      ...{ trusted: manifest.block.hash, shard: "root", report: () => {}, signal: new AbortController().signal },
      ...change,
    });
  }

  get dag(): Dag {
    return new Dag(this.chain);
  }
}

/** The entries of a table, as text. */
export function entriesIn(store: MemoryStore, name: "history" | "cold" | "roots"): ReadonlyMap<string, string> {
  return new Map([...store.table(name).range()].map(([key, value]) => [toHex(key), toHex(value)]));
}
