import { hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { changesBetween, decodeChanges, encodeChanges } from "./nodeChanges.js";
import type { RadixNode } from "./RadixNode.js";
import { changesShare, StateStore, stateTables } from "./StateStore.js";

/** A node in the place of another one in the state before. */
interface Place {
  readonly before: Uint8Array;
  readonly now: Uint8Array;
}

/**
 * Stores nodes that are there as wholes as changes of earlier ones, as they are stored when they are new. For stores of
 * earlier versions, and of nodes that came from a peer.
 *
 * @spec 30 §5.8
 */
export class NodeChanging {
  readonly #store: Store;
  readonly #states: StateStore;
  /** Nodes that others are stored as changes of: these stay whole. */
  readonly #wholes = new Set<string>();
  #changed = 0;

  constructor(store: Store) {
    this.#store = store;
    this.#states = new StateStore(store);
    for (const [, value] of store.table(stateTables.changedNodes).range())
      this.#wholes.add(hashKey(decodeChanges(value).whole));
  }

  /** How many were changed. */
  get changed(): number {
    return this.#changed;
  }

  /** Goes through what differs between a state and the one before, in one transaction. States that are gone are left out. */
  change(before: Uint8Array, now: Uint8Array): void {
    const written = new Map<string, { readonly hash: Uint8Array; readonly changes: Uint8Array }>();
    const pending: Place[] = [{ before, now }];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      const [old, made] = [this.#states.storedNode(place.before), this.#states.storedNode(place.now)];
      if (old === undefined || made === undefined || hashKey(place.before) === hashKey(place.now)) continue;
      if (made.whole === undefined && !this.#wholes.has(hashKey(place.now))) {
        const changes = this.#changesOf(place, made.node, written);
        if (changes !== undefined) written.set(hashKey(place.now), { hash: place.now, changes });
      }
      pushPlaces(old.node, made.node, pending);
    }
    if (written.size === 0) return;
    this.#store.write((tables) => {
      for (const { hash, changes } of written.values()) {
        tables(stateTables.changedNodes).put(hash, changes);
        tables(stateTables.nodes).delete(hash);
      }
    });
    this.#changed += written.size;
  }

  /** @param written nodes that will no longer be whole */
  #changesOf({ before }: Place, node: RadixNode, written: { has(key: string): boolean }): Uint8Array | undefined {
    const stored = this.#states.storedNode(before);
    const wholeHash = stored?.whole ?? before;
    const whole = stored?.whole === undefined ? stored : this.#states.storedNode(wholeHash);
    if (whole === undefined || written.has(hashKey(wholeHash))) return undefined;
    const limitBytes = Math.floor(node.bytes.length / changesShare);
    const changes = changesBetween({ hash: wholeHash, node: whole.node }, node, limitBytes);
    if (changes === undefined) return undefined;
    this.#wholes.add(hashKey(wholeHash));
    return encodeChanges(changes);
  }
}

/** The children that differ at the same place. */
function pushPlaces(old: RadixNode, made: RadixNode, pending: Place[]): void {
  for (let index = 0; index < 256; index += 1) {
    const [from, to] = [old.offsetOf(index), made.offsetOf(index)];
    if (from < 0 || to < 0 || !old.isPointerAt(from) || !made.isPointerAt(to)) continue;
    const [before, now] = [old.targetAt(from), made.targetAt(to)];
    if (hashKey(before) !== hashKey(now)) pending.push({ before, now });
  }
}
