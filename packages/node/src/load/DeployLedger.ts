import { type Percentiles, percentilesOf } from "./percentiles.js";

/** A deploy in a block, as the node tells of it. */
export interface DeployInBlock {
  readonly id: string;
  readonly cost: bigint;
  readonly phloPrice: bigint;
  readonly isErrored: boolean;
}

/** What has become of all deploys of a load. */
export interface LedgerTotals {
  readonly submitted: number;
  readonly included: number;
  readonly finalized: number;
  readonly errored: number;
  readonly toIncluded: Percentiles | undefined;
  readonly toFinalized: Percentiles | undefined;
}

interface Entry {
  readonly acceptedAtMs: number;
  /** What a contract call adds; 0 for others. */
  readonly adds: number;
  includedAtMs?: number;
  finalizedAtMs?: number;
  isErrored?: boolean;
}

/** The deploys of a load, from the answer of the node to the finalized block. */
export class DeployLedger {
  readonly #entries = new Map<string, Entry>();
  readonly #waiting = new Set<string>();
  #fees = 0n;

  accepted(id: string, adds: number, nowMs: number): void {
    this.#entries.set(id, { acceptedAtMs: nowMs, adds });
    this.#waiting.add(id);
  }

  /** A block that holds deploys is known. */
  included(deploys: readonly DeployInBlock[], nowMs: number): void {
    for (const { id } of deploys) {
      const entry = this.#entries.get(id);
      if (entry !== undefined) entry.includedAtMs ??= nowMs;
    }
  }

  /** A block that holds deploys is final. */
  finalized(deploys: readonly DeployInBlock[], nowMs: number): void {
    for (const { id, cost, phloPrice, isErrored } of deploys) {
      this.#fees += cost * phloPrice;
      const entry = this.#entries.get(id);
      if (entry === undefined) continue;
      entry.includedAtMs ??= nowMs;
      entry.finalizedAtMs = nowMs;
      entry.isErrored = isErrored;
      this.#waiting.delete(id);
    }
  }

  /** How many are not final yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** What was paid for all deploys of finalized blocks. */
  get fees(): bigint {
    return this.#fees;
  }

  /** What the cells of the contract must have by what is final. */
  get finalizedSum(): bigint {
    let sum = 0n;
    for (const { adds, finalizedAtMs, isErrored } of this.#entries.values())
      if (finalizedAtMs !== undefined && isErrored !== true) sum += BigInt(adds);
    return sum;
  }

  totals(): LedgerTotals {
    const entries = [...this.#entries.values()];
    const included = entries.filter(({ includedAtMs }) => includedAtMs !== undefined);
    const finalized = entries.filter(({ finalizedAtMs }) => finalizedAtMs !== undefined);
    return {
      submitted: entries.length,
      included: included.length,
      finalized: finalized.length,
      errored: entries.filter(({ isErrored }) => isErrored === true).length,
      toIncluded: percentilesOf(included.map((entry) => entry.includedAtMs! - entry.acceptedAtMs)),
      toFinalized: percentilesOf(finalized.map((entry) => entry.finalizedAtMs! - entry.acceptedAtMs)),
    };
  }
}
