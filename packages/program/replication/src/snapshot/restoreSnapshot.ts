import { BlockTable, bootstrapFromState, Dag, replaceFloors, storedFloors } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Block, Dialect } from "@vedette/protocol";
import type { Store, WritableTables } from "@vedette/store";
import { importedBlocks } from "@vedette/sync";
import { type SpaceDialect, StateStore } from "@vedette/tuplespace";
import { BlockReader, requireBlocks } from "./checkBlocks.js";
import { checkState } from "./checkState.js";
import { entriesOf } from "./chunk/chunkFormat.js";
import { type OpenedChunk, readChunks } from "./chunk/readChunks.js";
import { decodeFloors, type SnapshotFloors } from "./floors/SnapshotFloors.js";
import { snapshotFloorsOf } from "./floors/snapshotFloorsOf.js";
import { HorizonReader } from "./horizon/HorizonReader.js";
import { type BlocksAround, horizonBlocks } from "./horizon/horizonBlocks.js";
import { isOfHorizon, StoredHorizon } from "./horizon/StoredHorizon.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotStorage } from "./place/SnapshotStorage.js";
import type { RestoreProgress } from "./RestoreProgress.js";
import { SnapshotError } from "./SnapshotError.js";
import { SnapshotStateWalk } from "./SnapshotStateWalk.js";
import { StateBatch } from "./StateBatch.js";

/** Why floors are refused. */
export const noFloors = "its floors cannot be read";
/** Why states below a snapshot's are. */
export const noHorizon = "networks of its dialect have no states below a snapshot's";
export const strayState = "it begins with something else than the earlier state that is in it";

/** How a data directory is made of a snapshot. */
export interface RestoreOptions {
  readonly place: SnapshotStorage;
  readonly manifest: Manifest;
  /** The block that the operator trusts, 64 hex digits. */
  readonly trusted: string;
  readonly shard: string;
  /** Id of the node that must have made it; `undefined` accepts any node. */
  readonly maker?: string | undefined;
  readonly dialect: Dialect;
  /** The configured one; `undefined`: the dialect has none. @spec 61 §24 */
  readonly ruleSet?: string | undefined;
  /** That of the states, by the dialect. */
  readonly form: SpaceDialect;
  readonly chain: Store;
  readonly state: Store;
  /** The finished work of an interrupted restore. */
  readonly progress: Pick<RestoreProgress, "has" | "add">;
  readonly report: (stage: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks that a snapshot may be begun with, before anything is written.
 *
 * @throws {SnapshotError} `otherBlock`, `otherShard`, `otherDialect`, `otherRules`, `otherMaker`
 */
export function checkManifest(
  manifest: Manifest,
  {
    trusted,
    shard,
    dialect,
    ruleSet,
    maker,
  }: Pick<RestoreOptions, "trusted" | "shard" | "dialect" | "ruleSet" | "maker">,
): void {
  const { name, block } = manifest;
  if (block.hash !== trusted) throw new SnapshotError({ code: "otherBlock", name, found: block.hash, trusted });
  if (manifest.shard !== shard)
    throw new SnapshotError({ code: "otherShard", name, found: manifest.shard, expected: shard });
  checkDialect(manifest, dialect);
  const found = manifest.ruleSet;
  if (found !== undefined && ruleSet !== undefined && found !== ruleSet)
    throw new SnapshotError({ code: "otherRules", name, found, expected: ruleSet });
  if (maker !== undefined && manifest.maker !== maker)
    throw new SnapshotError({ code: "otherMaker", name, found: manifest.maker, expected: maker });
}

/** @throws {SnapshotError} `otherDialect` */
export function checkDialect({ name, dialect: found }: Manifest, { name: expected }: Dialect): void {
  if (found !== expected) throw new SnapshotError({ code: "otherDialect", name, found, expected });
}

/**
 * Fills an empty data directory from a snapshot. Only the block's hash is trusted: the block contains its state's root,
 * and every node and leaf is named by the hash of its bytes. The chain begins only once nothing is missing. After an
 * interruption, it goes on with the remaining chunks.
 *
 * @returns the block that the chain begins with now
 * @throws {SnapshotError} as {@link checkManifest}, and `chunkWrong`, `incomplete`, `floorWrong`, `horizonWrong`,
 *   `placeUnusable`; {StoreError}; what
 *   the signal is aborted with
 * @spec 40 §3.9
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<Block> {
  checkManifest(options.manifest, options);
  const floors = await snapshotFloorsOf(options.dialect.name);
  return new Restoration(options, floors).run();
}

/** The context of a state. */
interface Ground extends BlocksAround {
  /** Reads what lies below, where there may be any of it. */
  readonly horizon: HorizonReader | undefined;
}

class Restoration {
  readonly #options: RestoreOptions;
  /** Nothing, where no floors go with a chain. */
  readonly #floors: SnapshotFloors | undefined;
  readonly #blocks: BlockTable;
  readonly #states: StateStore;
  readonly #reader: BlockReader;
  readonly #batch: StateBatch;
  readonly #walk: SnapshotStateWalk;
  /** Chunks that are not noted yet. */
  readonly #taken: string[] = [];
  #ground: Ground | undefined;

  constructor(options: RestoreOptions, floors: SnapshotFloors | undefined) {
    const { manifest, trusted, dialect, form, chain, state } = options;
    this.#options = options;
    this.#floors = floors;
    this.#blocks = new BlockTable(chain, { form: dialect.blockForm });
    this.#states = new StateStore(state, { form });
    this.#reader = new BlockReader(manifest, dialect, this.#blocks.find(fromHex(trusted)));
    this.#batch = new StateBatch(state, form);
    this.#walk = new SnapshotStateWalk(form);
  }

  async run(): Promise<Block> {
    const { place, manifest, progress, report, signal } = this.#options;
    const left = manifest.chunks.filter(({ hash }) => !progress.has(hash));
    let done = manifest.chunks.length - left.length;
    for await (const chunk of readChunks(place, left)) {
      if (this.#ground?.horizon?.isOpen === true || isOfHorizon(chunk)) await this.#takeHorizon(chunk);
      else await this.#take(chunk);
      this.#taken.push(chunk.facts.hash);
      done += 1;
      report("fetching", done, manifest.chunks.length);
      if (this.#batch.isFull || signal.aborted) this.#write();
      signal.throwIfAborted();
    }
    this.#write();
    const ground = await this.#requireGround();
    ground.horizon?.end();
    return this.#begin(ground);
  }

  #write(): void {
    this.#batch.write();
    // A state that goes on in the next chunk is there once all of it has come.
    if (this.#ground?.horizon?.isOpen === true) return;
    for (const hash of this.#taken.splice(0)) this.#options.progress.add(hash);
  }

  async #take({ facts: { hash }, bytes }: OpenedChunk): Promise<void> {
    for (const { kind, bytes: value } of entriesOf(hash, bytes)) {
      if (kind === "node" || kind === "leaf") this.#takeItem(kind, hash, value);
      else if (kind === "block") await this.#takeBlock(hash, value);
      else if (kind === "floors") this.#takeFloors(hash, value);
      else throw new SnapshotError({ code: "chunkWrong", hash, reason: strayState });
    }
  }

  async #takeBlock(chunk: string, value: Uint8Array): Promise<void> {
    const block = this.#reader.read(chunk, value);
    if (toHex(block.hash) === this.#options.trusted) this.#walk.begin(block.body.state.postStateHash);
    await this.#blocks.prepare(block);
    this.#blocks.put(block);
  }

  #takeFloors(chunk: string, value: Uint8Array): void {
    const floors = this.#floors && decodeFloors(value);
    if (floors === undefined) throw new SnapshotError({ code: "chunkWrong", hash: chunk, reason: noFloors });
    this.#options.chain.write((tables) => replaceFloors(tables, floors));
  }

  #takeItem(kind: "node" | "leaf", chunk: string, value: Uint8Array): void {
    const hash = this.#batch.add(kind, value);
    try {
      if (kind === "leaf") this.#walk.leaf(hash, value);
      else this.#walk.node(hash, value);
    } catch (error) {
      const reason = `a node: ${errorText(error)}`;
      throw new SnapshotError({ code: "chunkWrong", hash: chunk, reason }, { cause: error });
    }
  }

  /** In one transaction. */
  async #takeHorizon({ facts, bytes }: OpenedChunk): Promise<void> {
    this.#write();
    const { horizon } = await this.#requireGround();
    if (horizon === undefined) throw new SnapshotError({ code: "chunkWrong", hash: facts.hash, reason: noHorizon });
    this.#options.state.together(() => {
      for (const entry of entriesOf(facts.hash, bytes)) horizon.take(entry);
    });
  }

  /** Requires all blocks, and the whole of the snapshot's own state, on which other states are based. */
  async #requireGround(): Promise<Ground> {
    if (this.#ground !== undefined) return this.#ground;
    const { manifest, chain, state, form } = this.#options;
    const rules = this.#floors;
    const find = (hash: Uint8Array) => this.#blocks.find(hash);
    const floors = rules === undefined ? [] : [...storedFloors(chain)];
    const { block, hashes } = requireBlocks(manifest, find, (own) => rules?.lowest(own, floors, find));
    const root = block.body.state.postStateHash;
    // An interrupted walk has seen only a part, unless all was seen before.
    if (!this.#walk.isWhole && !this.#states.hasRoot(root)) await checkState(root, this.#states, this.#options);
    this.#states.recordRoot(root);
    const around = { block, hashes, floors, find };
    const taker = rules && new StoredHorizon(this.#states, rules.numbers({ store: state, form }));
    const horizon = taker && new HorizonReader(manifest, horizonBlocks(rules!, around), block, taker);
    this.#ground = { ...around, horizon };
    return this.#ground;
  }

  #begin({ block, hashes, floors, find }: BlocksAround): Block {
    const { manifest, chain, state, form } = this.#options;
    const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
    const others = importedBlocks(block, hashes);
    const checked = this.#floors?.check({ block, others, floors, find, state: { store: state, form } });
    if (checked !== undefined && "wrong" in checked)
      throw new SnapshotError({ code: "floorWrong", name: manifest.name, hash: toHex(checked.wrong) });
    const dag = new Dag(chain, undefined, this.#floors?.firstMessage);
    const also = checked && ((tables: WritableTables) => replaceFloors(tables, checked.floors));
    bootstrapFromState({ dag, blocks: this.#blocks }, approved, others, also);
    return block;
  }
}
