import { blake2b256, concatBytes } from "@vedette/crypto";
import { type Block, type Deploy, decodeDeploy, encodeDeploy, hashKey } from "@vedette/protocol";
import type { ReadableTable, Store } from "@vedette/store";
import type { BlockTable } from "../block/BlockTable.js";
import { deployLifespan } from "../ChainRules.js";
import type { DagView } from "../dag/DagView.js";
import { keyNumber, numberKey } from "../dag/tableKeys.js";
import { checkDeploy, checkSubmittedSignature, type DeployRefusal, type DeployRules } from "./checkDeploy.js";
import { ProposeError } from "./ProposeError.js";
import { contentKeyOf, RecentDeploys } from "./RecentDeploys.js";

/** How much waits at most. */
export interface PoolLimits {
  readonly deploys: number;
  /** Encoded bytes of all deploys together. */
  readonly bytes: number;
  /** Encoded bytes of one deploy. */
  readonly deployBytes: number;
}

/** Enough for hours of a busy network; the largest deploys of genesis have some hundred kilobytes. */
export const defaultPoolLimits: PoolLimits = { deploys: 50_000, bytes: 256_000_000, deployBytes: 4_000_000 };

/** This part of the room, one of so many, is for those who have paid in a recent block. */
const payersPart = 5;

/** Heights for which a deploy is left out, the first time and the second. */
const restOf = [5n, 20n];
const endless = 1n << 62n;

/** What the pool remembers of a deploy in memory; the deploy itself is read when a block is made. */
export interface PoolEntry {
  /** Hash of the signature: the deploy's key in the pool. */
  readonly key: Uint8Array;
  readonly signature: Uint8Array;
  /** Public key, as a key of a map. */
  readonly deployer: string;
  /** Names the deploy without its signature. */
  readonly content: string;
  readonly validAfterBlockNumber: bigint;
  readonly phloLimit: bigint;
  readonly sizeBytes: number;
}

/** `known`: it waits already, or is in a block that can still be built upon. */
export type Submission =
  | { readonly kind: "accepted" }
  | { readonly kind: "known" }
  | { readonly kind: "refused"; readonly refusal: DeployRefusal };

/**
 * The deploys that wait to be put into a block, in the order of their arrival; they survive a restart.
 *
 * A deploy leaves the pool when a block that has it becomes final, or when no block can have it any more (the
 * reference keeps the latter for ever).
 *
 * @spec 40 §6.1 (deploy storage), §9.5
 */
export class DeployPool {
  private readonly store: Store;
  private readonly table: ReadableTable;
  private readonly rules: DeployRules;
  private readonly limits: PoolLimits;
  /** In the order of arrival. */
  private readonly byKey = new Map<string, PoolEntry>();
  private readonly contents = new Set<string>();
  private readonly aside = new Map<string, { readonly times: number; readonly until: bigint }>();
  /** How often deploys that are here were put aside, by their deployer. */
  private readonly blame = new Map<string, number>();
  private readonly recent = new RecentDeploys();
  private nextArrival = 0n;
  private bytes = 0;

  /** @param store has the tables of the chain environment */
  constructor(store: Store, rules: DeployRules, limits: Partial<PoolLimits> = {}) {
    this.store = store;
    this.table = store.table("deployPool");
    this.rules = rules;
    this.limits = { ...defaultPoolLimits, ...limits };
    this.load();
  }

  get size(): number {
    return this.byKey.size;
  }

  get sizeBytes(): number {
    return this.bytes;
  }

  /** In the order of arrival. */
  entries(): Iterable<PoolEntry> {
    return this.byKey.values();
  }

  has(signature: Uint8Array): boolean {
    return this.byKey.has(hashKey(blake2b256(signature)));
  }

  /** As {@link submitAll}, for one deploy. @spec 50 §1.9 */
  submit(deploy: Deploy): Submission {
    return this.submitAll([deploy])[0]!;
  }

  /**
   * Keeps deploys, in one transaction: those that are `accepted` are on disk when this returns. A deploy that waits
   * already is kept once.
   *
   * The terms are not looked at.
   *
   * @returns what becomes of each, in the same order
   * @spec 50 §1.9
   */
  submitAll(deploys: readonly Deploy[]): readonly Submission[] {
    const taken: { readonly entry: PoolEntry; readonly value: Uint8Array }[] = [];
    const answers = deploys.map((deploy): Submission => {
      const refusal = checkDeploy(deploy, this.rules) ?? checkSubmittedSignature(deploy);
      if (refusal !== undefined) return { kind: "refused", refusal };
      if (this.has(deploy.signature)) return { kind: "known" };
      const content = contentKeyOf(deploy);
      if (this.contents.has(content) || this.recent.hasOther(content, deploy.signature))
        return { kind: "refused", refusal: { code: "resigned" } };
      const bytes = encodeDeploy(deploy);
      const lack = this.checkRoom(bytes.length, this.recent.hasPaid(hashKey(deploy.deployer)));
      if (lack !== undefined) return { kind: "refused", refusal: lack };
      const entry = entryOf(deploy, content, bytes.length);
      taken.push({ entry, value: concatBytes(numberKey(this.nextArrival), bytes) });
      this.nextArrival += 1n;
      this.add(entry);
      return { kind: "accepted" };
    });
    try {
      if (taken.length > 0)
        this.store.write((tables) => {
          for (const { entry, value } of taken) tables("deployPool").put(entry.key, value);
        });
    } catch (error) {
      for (const { entry } of taken) this.forget(entry.key);
      throw error;
    }
    return answers;
  }

  /** @throws {ProposeError} `deployMissing` */
  require(entry: PoolEntry): Deploy {
    const value = this.table.get(entry.key);
    if (value === undefined) throw new ProposeError({ code: "deployMissing", signature: entry.signature });
    return decodeDeploy(value.subarray(8));
  }

  /**
   * Leaves a deploy out of blocks: at first for some heights, since the machine may be to blame, at the third time
   * until the node is started again.
   *
   * @param number height of the block that could not be made with it
   */
  putAside(signature: Uint8Array, number: bigint): void {
    const key = hashKey(blake2b256(signature));
    const entry = this.byKey.get(key);
    if (entry === undefined) return;
    const times = (this.aside.get(key)?.times ?? 0) + 1;
    this.aside.set(key, { times, until: number + (restOf[times - 1] ?? endless) });
    this.blame.set(entry.deployer, this.blameOf(entry) + 1);
  }

  /** How often deploys of the same deployer were put aside that are still here. */
  blameOf({ deployer }: PoolEntry): number {
    return this.blame.get(deployer) ?? 0;
  }

  /** Whether it is left out of the block of this height. */
  isAside(entry: PoolEntry, number: bigint): boolean {
    const aside = this.aside.get(hashKey(entry.key));
    return aside !== undefined && number < aside.until;
  }

  /** Whether its deployer has paid for a deploy of a recent block. */
  isOfPayer({ deployer }: PoolEntry): boolean {
    return this.recent.hasPaid(deployer);
  }

  /** Forgets the deploys of a block that became final. @returns how many there were @spec 40 §8.3 */
  removeFinalized(block: Block): number {
    return this.remove(block.body.deploys.map(({ deploy }) => blake2b256(deploy.signature)));
  }

  /** Forgets what no block above the last finalized one can have. @returns how many deploys that were */
  removeExpired(dag: DagView): number {
    return this.removeWhere(dag, () => false);
  }

  /** A block was inserted, ours or another's. */
  onBlock(block: Block): void {
    this.recent.add(block);
  }

  /**
   * To be called at a start, when there is a chain: forgets what has expired, and what became final just before the
   * end.
   *
   * @returns how many deploys that were
   */
  resume({ dag, blocks }: { readonly dag: DagView; readonly blocks: BlockTable }): number {
    this.recent.load(dag, blocks);
    return this.removeWhere(dag, ({ signature }) => isFinal(dag, signature));
  }

  private removeWhere(dag: DagView, isGone: (entry: PoolEntry) => boolean): number {
    const lastFinalized = dag.lastFinalized();
    if (lastFinalized === undefined) return 0;
    const earliest = lastFinalized.number + 1n - deployLifespan;
    const gone = [...this.byKey.values()].filter((entry) => entry.validAfterBlockNumber <= earliest || isGone(entry));
    return this.remove(gone.map(({ key }) => key));
  }

  private checkRoom(sizeBytes: number, isPayer: boolean): DeployRefusal | undefined {
    const { deployBytes } = this.limits;
    const [deploys, bytes] = [this.limits.deploys, this.limits.bytes].map((limit) =>
      isPayer ? limit : limit - Math.floor(limit / payersPart),
    ) as [number, number];
    if (sizeBytes > deployBytes) return { code: "tooLarge", sizeBytes, limitBytes: deployBytes };
    if (this.byKey.size >= deploys) return { code: "tooMany", limit: deploys };
    if (this.bytes + sizeBytes > bytes) return { code: "poolFull", limitBytes: bytes };
    return undefined;
  }

  private remove(keys: readonly Uint8Array[]): number {
    // A block may hold a deploy twice.
    const names = new Set(keys.map(hashKey).filter((name) => this.byKey.has(name)));
    const known = [...names].map((name) => this.byKey.get(name)!.key);
    if (known.length === 0) return 0;
    this.store.write((tables) => {
      for (const key of known) tables("deployPool").delete(key);
    });
    for (const key of known) this.forget(key);
    return known.length;
  }

  private add(entry: PoolEntry): void {
    this.byKey.set(hashKey(entry.key), entry);
    this.contents.add(entry.content);
    this.bytes += entry.sizeBytes;
  }

  private forget(key: Uint8Array): void {
    const name = hashKey(key);
    const entry = this.byKey.get(name);
    if (entry === undefined) return;
    this.bytes -= entry.sizeBytes;
    this.contents.delete(entry.content);
    this.byKey.delete(name);
    const times = this.aside.get(name)?.times ?? 0;
    this.aside.delete(name);
    if (times === 0) return;
    const left = this.blameOf(entry) - times;
    if (left > 0) this.blame.set(entry.deployer, left);
    else this.blame.delete(entry.deployer);
  }

  /** What the configuration no longer allows would make a block invalid, so it goes. */
  private load(): void {
    const found: { readonly arrival: bigint; readonly entry: PoolEntry }[] = [];
    const unwanted: Uint8Array[] = [];
    for (const [key, value] of this.table.range()) {
      const deploy = readDeploy(value);
      if (deploy === undefined || checkDeploy(deploy, this.rules) !== undefined) unwanted.push(key);
      else
        found.push({
          arrival: keyNumber(value.subarray(0, 8)),
          entry: entryOf(deploy, contentKeyOf(deploy), value.length - 8),
        });
    }
    found.sort((left, right) => (left.arrival < right.arrival ? -1 : 1));
    for (const { entry } of found) this.add(entry);
    const last = found.at(-1);
    if (last !== undefined) this.nextArrival = last.arrival + 1n;
    if (unwanted.length === 0) return;
    this.store.write((tables) => {
      for (const key of unwanted) tables("deployPool").delete(key);
    });
  }
}

function isFinal(dag: DagView, signature: Uint8Array): boolean {
  return dag.blocksOfDeploy(signature).some((hash) => dag.find(hash)?.finalized === true);
}

function readDeploy(value: Uint8Array): Deploy | undefined {
  try {
    return value.length < 8 ? undefined : decodeDeploy(value.subarray(8));
  } catch {
    return undefined;
  }
}

/** Copies what stays in memory, so that the rest of the message does not. */
function entryOf(deploy: Deploy, content: string, sizeBytes: number): PoolEntry {
  const signature = Uint8Array.from(deploy.signature);
  const { validAfterBlockNumber, phloLimit } = deploy;
  const deployer = hashKey(deploy.deployer);
  return { key: blake2b256(signature), content, signature, deployer, validAfterBlockNumber, phloLimit, sizeBytes };
}
