import { addressKey, isOwnMachine, placesFor } from "@vedette/network";

/** How many connections there may be. */
export interface SlotLimits {
  readonly inAll: number;
  /** The maximum for one address. */
  readonly perAddress: number;
  /** Whether this machine's own programs are limited as other clients are. */
  readonly limitsOwnMachine: boolean;
}

/** Usual limits. */
export const slotLimits: SlotLimits = { inAll: 4_096, perAddress: 128, limitsOwnMachine: false };

interface Slot {
  readonly cutOff: () => void;
}

/**
 * Counts the connections in all and of each address. Some places are kept for addresses that have few, and for this
 * machine's own programs. When all are taken, the address with most connections loses its oldest one to an address that
 * would have fewer.
 */
export class ConnectionSlots {
  readonly #limits: SlotLimits;
  readonly #taken = new Map<string, Set<Slot>>();
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
    if (of !== undefined && this.#countOf(of) >= this.#limits.perAddress) return "perAddress";
    return this.#isFullFor(address, of) && this.#largest(of) === undefined ? "inAll" : undefined;
  }

  /**
   * Counts a connection.
   *
   * @param cutOff ends it at once, when another one needs its place
   * @returns a function that releases it, once
   */
  take(address: string, cutOff: () => void): () => void {
    const of = countedFor(address, this.#limits);
    if (this.#isFullFor(address, of)) this.#makeRoom(of);
    const slot: Slot = { cutOff };
    this.#inAll += 1;
    const taken = of === undefined ? undefined : (this.#taken.get(of) ?? new Set());
    if (of !== undefined && taken !== undefined) this.#taken.set(of, taken.add(slot));
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      // It may have been cut off.
      if (taken?.delete(slot) === false) return;
      this.#inAll -= 1;
      if (of !== undefined && taken?.size === 0) this.#taken.delete(of);
    };
  }

  #countOf(of: string): number {
    return this.#taken.get(of)?.size ?? 0;
  }

  #isFullFor(address: string, of: string | undefined): boolean {
    const ofAddress = of === undefined ? undefined : this.#countOf(of);
    return this.#inAll >= placesFor(this.#limits, isOwnMachine(address), ofAddress);
  }

  /** Returns the address with most connections, if they are more than another one would have. */
  #largest(of: string | undefined): string | undefined {
    let largest: string | undefined;
    let most = (of === undefined ? 0 : this.#countOf(of)) + 1;
    for (const [other, { size }] of this.#taken) if (size > most) [largest, most] = [other, size];
    return largest;
  }

  #makeRoom(of: string | undefined): void {
    const largest = this.#largest(of);
    if (largest === undefined) return;
    const slots = this.#taken.get(largest)!;
    const [oldest] = slots;
    slots.delete(oldest!);
    this.#inAll -= 1;
    if (slots.size === 0) this.#taken.delete(largest);
    oldest!.cutOff();
  }
}

/** Returns the client address that a request or socket is counted for; `undefined` for a client without limits. */
export function countedFor(
  address: string | undefined,
  { limitsOwnMachine }: { readonly limitsOwnMachine: boolean },
): string | undefined {
  if (address === undefined || (!limitsOwnMachine && isOwnMachine(address))) return undefined;
  return addressKey(address);
}
