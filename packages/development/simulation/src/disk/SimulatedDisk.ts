import { MemoryStore, tablesOf } from "@vedette/store";
import type { SeededRandom } from "../random/SeededRandom.js";
import { Journal, SimulatedStore, type WriteFault } from "./SimulatedStore.js";

/** The two environments of a data directory. */
export type Environment = "chain" | "state";

interface PlannedFault {
  readonly environment: Environment;
  /** Transactions before it. */
  after: number;
  readonly fault: WriteFault;
  /** Transactions that it befalls. */
  times: number;
}

/** With less room a node stops writing in good order. */
export const simulatedLowWaterBytes = 1_000;

/** Reads that give a value with a flipped bit. */
export interface PlannedFlip {
  readonly environment: Environment;
  /** Reads before it. */
  after: number;
  /** Reads that it befalls. */
  times: number;
}

/** The remains of a node between its processes, and the faults of its disk. */
export class SimulatedDisk {
  readonly memory: Readonly<Record<Environment, MemoryStore>> = {
    chain: new MemoryStore(tablesOf("chain")),
    state: new MemoryStore(tablesOf("state")),
  };
  readonly #journals: Readonly<Record<Environment, Journal>> | undefined;
  readonly #planned: PlannedFault[] = [];
  readonly #flips: PlannedFlip[] = [];
  #isLookedAt = false;
  /** Writes find no room when there is none; below the low-water mark a node begins none. */
  freeBytes = Number.MAX_SAFE_INTEGER;
  /** Transactions that failed since this was last set to 0. */
  failures = 0;

  /** @param lies whether a loss of power takes back what was written */
  constructor(lies: boolean) {
    this.#journals = lies ? { chain: new Journal(), state: new Journal() } : undefined;
  }

  /** Returns a new process's view of it. */
  open(process: { readonly isAlive: boolean; crash(): void }): Readonly<Record<Environment, SimulatedStore>> {
    const storeOf = (environment: Environment) =>
      new SimulatedStore({
        memory: this.memory[environment],
        journal: this.#journals?.[environment],
        isAlive: () => process.isAlive,
        nextFault: () => this.#nextFault(environment),
        isFlipped: () => this.#isFlipped(environment),
        crash: () => process.crash(),
      });
    return { chain: storeOf("chain"), state: storeOf("state") };
  }

  plan(fault: PlannedFault): void {
    this.#planned.push(fault);
  }

  flip(flip: PlannedFlip): void {
    this.#flips.push(flip);
  }

  /** Reads what a process has stored, for a check of the simulation: no bit of these reads is flipped. */
  look<Seen>(work: () => Seen): Seen {
    this.#isLookedAt = true;
    try {
      return work();
    } finally {
      this.#isLookedAt = false;
    }
  }

  /** It has room again. */
  empty(): void {
    this.freeBytes = Number.MAX_SAFE_INTEGER;
  }

  /** All is well from now on. */
  heal(): void {
    this.#planned.length = 0;
    this.#flips.length = 0;
    this.empty();
  }

  /** Only where the disk lies; each environment loses what it loses. @returns transactions that are lost */
  losePower(random: SeededRandom): number {
    if (this.#journals === undefined) return 0;
    let lost = 0;
    for (const environment of ["chain", "state"] as const)
      lost += this.#journals[environment].lose(random.below(12), this.memory[environment]);
    return lost;
  }

  #isFlipped(environment: Environment): boolean {
    const next = this.#flips.find((one) => one.environment === environment);
    if (next === undefined || this.#isLookedAt) return false;
    next.after -= 1;
    if (next.after >= 0) return false;
    next.times -= 1;
    if (next.times <= 0) this.#flips.splice(this.#flips.indexOf(next), 1);
    this.failures += 1;
    return true;
  }

  #nextFault(environment: Environment): WriteFault | undefined {
    if (this.freeBytes === 0) {
      this.failures += 1;
      return "full";
    }
    const next = this.#planned.find((one) => one.environment === environment);
    if (next === undefined) return undefined;
    if (next.after > 0) {
      next.after -= 1;
      return undefined;
    }
    next.times -= 1;
    if (next.times <= 0) this.#planned.splice(this.#planned.indexOf(next), 1);
    this.failures += 1;
    return next.fault;
  }
}
