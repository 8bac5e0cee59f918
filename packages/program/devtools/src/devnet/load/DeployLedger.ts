import { type Percentiles, percentilesOf } from "./percentiles.js";

/** A deploy in a block, as the node reports it. */
export interface LedgerDeploy {
  readonly id: string;
  /** Public key, hexadecimal. */
  readonly deployer: string;
  readonly cost: bigint;
  readonly phloPrice: bigint;
  readonly isErrored: boolean;
}

/** The outcomes of all deploys of a load. */
export interface LedgerTotals {
  readonly submitted: number;
  readonly included: number;
  /** In final blocks, without those that a merge gave up. */
  readonly finalized: number;
  /** In final blocks, but given up by a merge. */
  readonly rejected: number;
  readonly errored: number;
  readonly toIncluded: Percentiles | undefined;
  readonly toFinalized: Percentiles | undefined;
}

interface Entry {
  readonly acceptedAtMs: number;
  /** The amount that a contract call adds; 0 for others. */
  readonly adds: number;
  includedAtMs?: number;
  finalizedAtMs?: number;
  isErrored?: boolean;
  isRejected?: boolean;
}

/** The payment for a deploy of final blocks. */
interface Payment {
  readonly fee: bigint;
  /** Final blocks that hold the deploy, and those of them that a merge took it from. */
  readonly held: number;
  readonly rejected: number;
}

/** The deploys of a load, from the answer of the node to the finalized block. */
export class DeployLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<string>();
  readonly #payments = new Map<string, Payment>();
  readonly #payers: ReadonlySet<string>;

  /** @param payers public keys, hexadecimal, of the accounts with counted coins */
  constructor(payers: ReadonlySet<string>) {
    this.#payers = payers;
  }

  accepted(id: string, adds: number, nowMs: number): void {
    this.#entries.set(id, { acceptedAtMs: nowMs, adds });
    this.#waiting.add(id);
  }

  /** A block that holds deploys is known. */
  included(deploys: readonly LedgerDeploy[], nowMs: number): void {
    for (const { id } of deploys) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) entry.includedAtMs ??= nowMs;
    }
  }

  /** A block that holds deploys is final. */
  finalized(deploys: readonly LedgerDeploy[], nowMs: number): void {
    for (const { id, deployer, cost, phloPrice, isErrored } of deploys) {
      if (!this.#payers.has(deployer)) continue;
      const { held = 0, rejected = 0 } = this.#payments.get(id) ?? {};
      this.#payments.set(id, { fee: cost * phloPrice, held: held + 1, rejected });
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      entry.includedAtMs ??= nowMs;
      entry.finalizedAtMs = nowMs;
      entry.isErrored = isErrored;
      this.#waiting.delete(id);
    }
  }

  /** Records the number of final blocks that hold a deploy which a merge took from them. */
  rejected(id: string, blocks: number): void {
    const payment = this.#payments.get(id);
    if (payment === undefined) return;
    this.#payments.set(id, { ...payment, rejected: blocks });
    const entry = this.#entries.get(id);
    if (entry !== undefined) entry.isRejected = blocks >= payment.held;
  }

  /** How many are not final yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Returns the payments for deploys of finalized blocks that no merge gave up. */
  get fees(): bigint {
    let sum = 0n;
    for (const { fee, held, rejected } of this.#payments.values()) sum += fee * BigInt(held - rejected);
    return sum;
  }

  /** Returns the sum that the cells of the contract must have by the final blocks. */
  get finalizedSum(): bigint {
    let sum = 0n;
    for (const { adds, finalizedAtMs, isErrored, isRejected } of this.#entries.values())
      if (finalizedAtMs !== undefined && isErrored !== true && isRejected !== true) sum += BigInt(adds);
    return sum;
  }

  totals(): LedgerTotals {
    const entries = [...this.#entries.values()];
    const included = entries.filter(({ includedAtMs }) => includedAtMs !== undefined);
    const inFinal = entries.filter(({ finalizedAtMs }) => finalizedAtMs !== undefined);
    const finalized = inFinal.filter(({ isRejected }) => isRejected !== true);
    return {
      submitted: entries.length,
      included: included.length,
      finalized: finalized.length,
      rejected: inFinal.length - finalized.length,
      errored: entries.filter(({ isErrored }) => isErrored === true).length,
      toIncluded: percentilesOf(included.map((entry) => entry.includedAtMs! - entry.acceptedAtMs)),
      toFinalized: percentilesOf(finalized.map((entry) => entry.finalizedAtMs! - entry.acceptedAtMs)),
    };
  }
}
