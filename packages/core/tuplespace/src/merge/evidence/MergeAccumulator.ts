import { equalBytes } from "@vedette/crypto";
import type { StateView } from "../../history/StateView.js";
import type { DeployChain } from "../deployChain.js";
import { numberInState } from "../numberChannels.js";
import { highestNumber } from "../resolveConflicts.js";
import type { KeyChange } from "../stateChange.js";

type Items = readonly Uint8Array[];

/** A state while chains are applied to it, as far as they read it. @spec 40 §16.7 */
export class MergeAccumulator {
  readonly #base: StateView;
  readonly #numbers = new Map<string, bigint>();
  readonly #data = new Map<string, Items>();
  readonly #continuations = new Map<string, Items>();

  constructor(base: StateView) {
    this.#base = base;
  }

  /**
   * Puts a chain upon the state if all is there that it takes, and no number leaves its range.
   *
   * @returns whether it does; if not, nothing has changed
   * @throws {MergeError} `numberChannel`
   */
  take({ index, change }: DeployChain): boolean {
    const numbers = new Map<string, bigint>();
    for (const [channel, difference] of index.numberChannels) {
      const value = (this.#numbers.get(channel) ?? numberInState(this.#base, channel)) + difference;
      if (value < 0n || value > highestNumber) return false;
      numbers.set(channel, value);
    }
    const isNumber = (key: string) => index.numberChannels.has(key);
    const data = this.#changed(
      change.data,
      isNumber,
      (key, hash) => this.#data.get(key) ?? this.#base.data(hash).map(encodingOf),
    );
    const continuations = this.#changed(
      change.continuations,
      () => false,
      (key, hash) => this.#continuations.get(key) ?? this.#base.continuations(hash).map(encodingOf),
    );
    if (data === undefined || continuations === undefined) return false;
    for (const [channel, value] of numbers) this.#numbers.set(channel, value);
    for (const [key, items] of data) this.#data.set(key, items);
    for (const [key, items] of continuations) this.#continuations.set(key, items);
    return true;
  }

  #changed(
    changes: ReadonlyMap<string, KeyChange>,
    isLeftOut: (key: string) => boolean,
    itemsOf: (key: string, hash: Uint8Array) => Items,
  ): Map<string, Items> | undefined {
    const changed = new Map<string, Items>();
    for (const [key, { hash, added, removed }] of changes) {
      if (isLeftOut(key)) continue;
      const left = [...itemsOf(key, hash)];
      for (const item of removed) {
        const at = left.findIndex((one) => equalBytes(one, item));
        if (at < 0) return undefined;
        left.splice(at, 1);
      }
      changed.set(key, [...left, ...added]);
    }
    return changed;
  }
}

function encodingOf({ encoding }: { readonly encoding: Uint8Array }): Uint8Array {
  return encoding;
}
