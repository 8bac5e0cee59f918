import type { Block } from "@vedette/protocol";
import type { BlockTable } from "../block/BlockTable.js";
import type { DagView } from "../dag/DagView.js";
import type { DeployRefusal } from "./checkDeploy.js";
import type { PoolEntry } from "./PoolEntry.js";
import { RecentDeploys } from "./RecentDeploys.js";
import { RecentlyPaidPrograms } from "./RecentlyPaidPrograms.js";
import { addressWaits, keyWaits, noWaits, SenderBackoff } from "./SenderBackoff.js";

/**
 * Tracks senders of deploys and their programs: which keys have paid lately, which programs were paid for, and which
 * keys sent deploys that could not be executed.
 *
 * It decides which senders wait, never whether a block is valid.
 *
 * @spec 40 §9.5
 */
export class SenderReputation {
  readonly #keys: SenderBackoff;
  readonly #addresses: SenderBackoff;
  /** Keys with deploys that could not be executed, for any reason: their deploys come later, without a wait. */
  readonly #leftOut: SenderBackoff;
  readonly #programs: RecentlyPaidPrograms;
  readonly #recent: RecentDeploys;

  /**
   * @param monotonicMs by it senders wait
   * @param trustedPrograms texts of programs that are always familiar
   */
  constructor(monotonicMs: () => number, trustedPrograms: readonly string[] = []) {
    this.#keys = new SenderBackoff(keyWaits, monotonicMs);
    this.#addresses = new SenderBackoff(addressWaits, monotonicMs);
    this.#leftOut = new SenderBackoff(noWaits, monotonicMs);
    this.#programs = new RecentlyPaidPrograms(trustedPrograms);
    this.#recent = new RecentDeploys((term) => this.#programs.notePaid(term));
  }

  /** At a start. */
  load(dag: DagView, blocks: BlockTable): void {
    this.#recent.load(dag, blocks);
  }

  /** A block was inserted, ours or another's. */
  onBlock(block: Block): void {
    this.#recent.add(block);
  }

  /** A deploy could not be executed, which may be the machine's fault. */
  noteLeftOut({ deployer, shape }: PoolEntry): void {
    this.#leftOut.note(deployer);
    this.#programs.forget(shape);
  }

  /** A deploy was refused for good, after it had held up others. */
  recordFailure({ deployer, origin }: PoolEntry): void {
    this.#keys.note(deployer);
    if (origin !== undefined) this.#addresses.note(origin);
  }

  /** How many deploys of the same deployer could not be executed lately. */
  failureCount({ deployer }: Pick<PoolEntry, "deployer">): number {
    return this.#leftOut.faultsOf(deployer);
  }

  /** Whether its deployer has paid for a deploy of a recent block, and sends what can be executed. */
  isOfPayer({ deployer }: PoolEntry): boolean {
    return this.#recent.hasPaid(deployer) && this.failureCount({ deployer }) === 0;
  }

  /** Whether a recent deploy of its program was paid for, or the program is a trusted one. */
  isFamiliar({ shape }: PoolEntry): boolean {
    return this.#programs.isRecentlyPaid(shape);
  }

  /** Whether its program does the same with any texts and numbers in it. */
  isTrusted({ shape }: PoolEntry): boolean {
    return this.#programs.isTrusted(shape);
  }

  /** Whether a recent block has the same deploy, but with other signatures only. */
  isResigned({ content, signature }: PoolEntry): boolean {
    return this.#recent.hasOther(content, signature);
  }

  /** Why nothing is taken of its sender at the moment. */
  checkSender(entry: PoolEntry): DeployRefusal | undefined {
    const { deployer, origin } = entry;
    const keyMs = this.#keys.leftMs(deployer);
    if (keyMs > 0) return { code: "senderWaits", sender: "key", leftMs: keyMs };
    const addressMs = origin === undefined ? 0 : this.#addresses.leftMs(origin);
    // Users may share an address: a deployer that has paid, or a familiar program, does not wait with the address.
    if (addressMs === 0 || this.isOfPayer(entry) || this.isFamiliar(entry)) return undefined;
    return { code: "senderWaits", sender: "address", leftMs: addressMs };
  }
}
