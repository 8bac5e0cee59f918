import { isOwnMachine, placesFor } from "@vedette/network";
import { countedFor } from "./countedFor.js";

/** How many connections there may be. */
export interface SlotLimits {
  readonly inAll: number;
  /** Of one address. */
  readonly perAddress: number;
  /** Whether this machine's own programs are limited as strangers are. */
  readonly limitsOwnMachine: boolean;
}

/** Usual limits. */
export const slotLimits: SlotLimits = { inAll: 4_096, perAddress: 128, limitsOwnMachine: false };

/**
 * Counts the connections in all and of each address. Some places are kept for addresses that have few, and for this
 * machine's own programs.
 */
export class ConnectionSlots {
  readonly #limits: SlotLimits;
  readonly #taken = new Map<string, number>();
  #inAll = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** How many there are now. */
  get count(): number {
    return this.#inAll;
  }

  /** Whether, and why, this address can have no further connection now. */
  refusal(address: string): "inAll" | "perAddress" | undefined {
    const of = countedFor(address, this.#limits);
    const ofAddress = of === undefined ? undefined : (this.#taken.get(of) ?? 0);
    if (ofAddress !== undefined && ofAddress >= this.#limits.perAddress) return "perAddress";
    return this.#inAll >= placesFor(this.#limits, isOwnMachine(address), ofAddress) ? "inAll" : undefined;
  }

  /** Counts a connection. @returns what gives it back, once */
  take(address: string): () => void {
    const of = countedFor(address, this.#limits);
    this.#inAll += 1;
    if (of !== undefined) this.#taken.set(of, (this.#taken.get(of) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#inAll -= 1;
      if (of === undefined) return;
      const left = (this.#taken.get(of) ?? 1) - 1;
      if (left === 0) this.#taken.delete(of);
      else this.#taken.set(of, left);
    };
  }
}
