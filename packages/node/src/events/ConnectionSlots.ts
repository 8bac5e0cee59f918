import { addressKey, isOwnMachine } from "../address/addressKey.js";

/** How many connections there may be. */
export interface SlotLimits {
  readonly inAll: number;
  /** Of one address, beside the own machine's: reverse proxies are there. */
  readonly perAddress: number;
}

/** Usual limits. */
export const slotLimits: SlotLimits = { inAll: 4_096, perAddress: 128 };

/** Counts the connections in all and of each address. */
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
    if (this.#inAll >= this.#limits.inAll) return "inAll";
    const of = groupOf(address);
    if (of === undefined) return undefined;
    return (this.#taken.get(of) ?? 0) >= this.#limits.perAddress ? "perAddress" : undefined;
  }

  /** Counts a connection. @returns what gives it back, once */
  take(address: string): () => void {
    const of = groupOf(address);
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

/** Addresses that are counted together; `undefined` for the own machine. */
function groupOf(address: string): string | undefined {
  return isOwnMachine(address) ? undefined : addressKey(address);
}
