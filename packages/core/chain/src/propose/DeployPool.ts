import { blake2b256, concatBytes } from "@vedette/crypto";
import { type Block, type BlockCodec, type Deploy, decodeDeploy, encodeDeploy, hashKey } from "@vedette/protocol";
import type { ReadableTable, Store } from "@vedette/store";
import type { BlockTable } from "../block/BlockTable.js";
import { deployLifespan } from "../ChainRules.js";
import type { DagView } from "../dag/DagView.js";
import { keyNumber, numberKey } from "../dag/tableKeys.js";
import type { JudgedDeploy } from "../outcome/finalDeployStatus.js";
import { checkDeploy, checkSubmittedSignature, type DeployRefusal, type DeployRules } from "./checkDeploy.js";
import type { DeployExclusion } from "./DeployExclusion.js";
import { LeftDeploys } from "./LeftDeploys.js";
import { deployInValue, type PoolEntry, poolEntryOf } from "./PoolEntry.js";
import { ProposeError } from "./ProposeError.js";
import { SenderReputation } from "./SenderReputation.js";

/** How much waits at most. */
export interface PoolLimits {
  readonly deploys: number;
  /** Encoded bytes of all deploys together. */
  readonly bytes: number;
  /** Encoded bytes of one deploy. */
  readonly deployBytes: number;
}

/** Enough for hours of a busy network; the largest deploys of genesis have some hundred kilobytes. */
const defaultPoolLimits: PoolLimits = { deploys: 50_000, bytes: 256_000_000, deployBytes: 4_000_000 };

/** One of this many parts of the room is for deployers that have paid in a recent block. */
const payersPart = 5;

/** A deploy as it arrives. */
export interface ArrivingDeploy {
  readonly deploy: Deploy;
  /** The address that it came from; left out where addresses do not distinguish senders. */
  readonly origin?: string | undefined;
  /** Its signature is not required; only a pool that accepts unsigned deploys sets this. */
  readonly isUnsigned?: boolean | undefined;
}

/** How a pool differs from the usual one. */
export interface PoolOptions {
  readonly limits?: Partial<PoolLimits> | undefined;
  /** Texts of programs that are always tried among the first. */
  readonly trustedPrograms?: readonly string[] | undefined;
  /** A clock that is never set; by it senders wait. */
  readonly monotonicMs?: (() => number) | undefined;
  /** Whether unsigned deploys are taken: on a chain for development only. */
  readonly takesUnsigned?: boolean | undefined;
  /** Whether senders of deploys that cannot be executed have to wait; left out: yes. */
  readonly sendersWait?: boolean | undefined;
}

/** Whether a deploy in a final block has its final outcome, so that it need not be included again. */
export type IsDeployFinal = (deploy: JudgedDeploy) => boolean;

const always: IsDeployFinal = () => true;

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
  readonly trust: SenderReputation;
  private readonly store: Store;
  private readonly table: ReadableTable;
  private readonly rules: DeployRules;
  private readonly limits: PoolLimits;
  /** In the order of arrival. */
  private readonly byKey = new Map<string, PoolEntry>();
  private readonly contents = new Set<string>();
  /** Deploys that could not be executed once. */
  private readonly aside = new Set<string>();
  /** The resting deploys that were tried in the present proposal. */
  private readonly resting = new Set<string>();
  /** Deploys in a final block that have no final outcome yet. */
  private readonly unsettled = new Set<string>();
  private readonly left: LeftDeploys;
  private readonly takesUnsigned: boolean;
  private readonly sendersWait: boolean;
  private readonly form: BlockCodec;
  private nextArrival = 0n;
  private bytes = 0;

  /** @param store has the tables of the chain environment */
  constructor(store: Store, rules: DeployRules, options: PoolOptions = {}) {
    const { limits, trustedPrograms, monotonicMs = () => 0, takesUnsigned = false, sendersWait = true } = options;
    this.takesUnsigned = takesUnsigned;
    this.sendersWait = sendersWait;
    this.form = rules.dialect.blockForm;
    this.store = store;
    this.table = store.table("deployPool");
    this.rules = rules;
    this.limits = { ...defaultPoolLimits, ...limits };
    this.left = new LeftDeploys(store, this.form);
    this.trust = new SenderReputation(monotonicMs, trustedPrograms);
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

  /** @param id Blake2b-256 of the signature */
  find(id: Uint8Array): Deploy | undefined {
    const entry = this.byKey.get(hashKey(id));
    return entry === undefined ? undefined : this.require(entry);
  }

  /** As {@link submitAll}, for one deploy. @spec 50 §1.9 */
  submit(deploy: Deploy, origin?: string): Submission {
    return this.submitAll([{ deploy, origin }])[0]!;
  }

  /**
   * Keeps deploys, in one transaction: those that are `accepted` are on disk when this returns. A deploy that waits
   * already is kept once.
   *
   * The terms are not looked at.
   *
   * @returns the result of each, in the same order
   * @spec 50 §1.9
   */
  submitAll(arriving: readonly ArrivingDeploy[]): readonly Submission[] {
    const taken: { readonly entry: PoolEntry; readonly value: Uint8Array }[] = [];
    const answers = arriving.map(({ deploy, origin, isUnsigned = false }): Submission => {
      const isRequested = !(isUnsigned && this.takesUnsigned);
      const refusal =
        checkDeploy(deploy, this.rules) ?? (isRequested ? checkSubmittedSignature(deploy, this.rules) : undefined);
      if (refusal !== undefined) return { kind: "refused", refusal };
      if (this.has(deploy.signature)) return { kind: "known" };
      const bytes = encodeDeploy(deploy, this.form);
      const entry = poolEntryOf(deploy, bytes.length, origin);
      const lack = this.checkEntry(entry) ?? this.checkRoom(bytes.length, this.trust.isOfPayer(entry));
      if (lack !== undefined) return { kind: "refused", refusal: lack };
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
    return decodeDeploy(value.subarray(8), this.form);
  }

  /**
   * Leaves out a deploy that could not be executed: the first time until the next proposal, since the time that it was
   * given may be to blame; the second time for good. Where the machine is to blame, always until the next proposal.
   *
   * @returns whether it is tried again
   */
  putAside(signature: Uint8Array, fault: DeployExclusion): boolean {
    const key = hashKey(blake2b256(signature));
    const entry = this.byKey.get(key);
    if (entry === undefined) return false;
    if (fault.isOfMachine === true) {
      this.resting.add(key);
      return true;
    }
    this.trust.noteLeftOut(entry);
    if (this.aside.has(key)) {
      this.giveUp(signature, fault);
      return false;
    }
    this.aside.add(key);
    this.resting.add(key);
    return true;
  }

  /** Refuses a deploy for good; a sender with a deploy that delayed others must wait. */
  giveUp(signature: Uint8Array, { reason, isCostly }: DeployExclusion): void {
    const entry = this.byKey.get(hashKey(blake2b256(signature)));
    if (entry === undefined) return;
    if (isCostly) this.trust.recordFailure(entry);
    const deploy = this.require(entry);
    this.store.write((tables) => {
      tables("deployPool").delete(entry.key);
      this.left.put(tables, deploy, reason);
    });
    this.forget(entry.key);
  }

  /** A proposal begins: what was put aside once may be tried a second time. */
  proposalBegins(): void {
    this.resting.clear();
  }

  /** Whether it was put aside in this proposal. */
  isResting(entry: PoolEntry): boolean {
    return this.resting.has(hashKey(entry.key));
  }

  /** Whether it could not be executed once. */
  wasAside(entry: PoolEntry): boolean {
    return this.aside.has(hashKey(entry.key));
  }

  /**
   * Forgets the deploys of a block that became final; those that have not had their end with that, when they have it
   * ({@link removeSettled}).
   *
   * @param isSettled left out: each of them has its end with that
   * @returns how many there were
   * @spec 40 §8.3
   */
  removeFinalized(block: Block, isSettled: IsDeployFinal = always): number {
    for (const { deploy } of block.body.deploys)
      if (this.has(deploy.signature)) this.unsettled.add(hashKey(blake2b256(deploy.signature)));
    return this.removeSettled(isSettled);
  }

  /** Forgets those deploys of final blocks that have their end now. @returns how many there were */
  removeSettled(isSettled: IsDeployFinal): number {
    const waiting = [...this.unsettled].flatMap((name) => this.byKey.get(name) ?? []);
    return this.remove(waiting.filter(isSettled).map(({ key }) => key));
  }

  /**
   * Forgets the deploys that no block above the last finalized one can have. Records them, so that later queries can
   * return how each deploy ended.
   *
   * @returns how many deploys that were
   */
  removeExpired(dag: DagView): number {
    const lastFinalized = dag.lastFinalized();
    if (lastFinalized === undefined) return 0;
    // f1r3node counts from what is final for a block, not from the block (61 §14.2).
    const isByFinal = this.rules.dialect.deploysExpireBy === "lastFinal";
    const next = isByFinal ? lastFinalized.number : lastFinalized.number + 1n;
    const earliest = next - deployLifespan;
    this.left.passOver(earliest);
    const expired = [...this.byKey.values()].filter((entry) => entry.validAfterBlockNumber <= earliest);
    if (expired.length === 0) return 0;
    this.store.write((tables) => {
      for (const { key } of expired) {
        const value = this.table.get(key);
        const deploy = value === undefined ? undefined : deployInValue(value, this.form);
        if (deploy !== undefined) this.left.put(tables, deploy);
        tables("deployPool").delete(key);
      }
    });
    for (const { key } of expired) this.forget(key);
    return expired.length;
  }

  /**
   * To be called at a start, when there is a chain: forgets what has expired, and what became final just before the
   * end.
   *
   * @param isSettled as of {@link removeFinalized}
   * @returns how many deploys that were
   */
  resume(
    { dag, blocks }: { readonly dag: DagView; readonly blocks: BlockTable },
    isSettled: IsDeployFinal = always,
  ): number {
    this.trust.load(dag, blocks);
    for (const [name, { signature }] of this.byKey) if (isFinal(dag, signature)) this.unsettled.add(name);
    return this.removeSettled(isSettled) + this.removeExpired(dag);
  }

  /** Whether something keeps this very deploy, or its sender, out. */
  private checkEntry(entry: PoolEntry): DeployRefusal | undefined {
    const reason = this.left.reasonOf(entry.signature);
    if (reason !== undefined) return { code: "leftOut", reason };
    if (this.contents.has(entry.content) || this.trust.isResigned(entry)) return { code: "resigned" };
    return this.sendersWait ? this.trust.checkSender(entry) : undefined;
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
    this.aside.delete(name);
    this.resting.delete(name);
    this.unsettled.delete(name);
  }

  /** A deploy that the configuration no longer allows would make a block invalid, so it is removed. */
  private load(): void {
    const found: { readonly arrival: bigint; readonly entry: PoolEntry }[] = [];
    const unwanted: Uint8Array[] = [];
    for (const [key, value] of this.table.range()) {
      const deploy = deployInValue(value, this.form);
      if (deploy === undefined || checkDeploy(deploy, this.rules) !== undefined) unwanted.push(key);
      else
        found.push({
          arrival: keyNumber(value.subarray(0, 8)),
          entry: poolEntryOf(deploy, value.length - 8),
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
