import { readCheckpoint } from "@vedette/light";
import type { TextStore } from "../page/playground/KeyStore.js";
import type { Trust } from "./Finding.js";

const storeName = "vedette-trust";

/** The trusted start, kept in this browser for this address. */
export class TrustStore {
  readonly #store: TextStore;
  /** For browsers that keep nothing. */
  #unkept: Trust | undefined;

  constructor(store: TextStore) {
    this.#store = store;
  }

  /** `undefined` where nothing is kept, or something else. */
  read(): Trust | undefined {
    try {
      const kept = JSON.parse(this.#store.getItem(storeName) ?? "null") as Partial<Trust> | null;
      if (kept === null) return this.#unkept;
      const { checkpoint, origin, since, newest } = kept;
      return {
        checkpoint: readCheckpoint(checkpoint),
        origin: origin === "entered" ? "entered" : "firstUse",
        since: Number.isSafeInteger(since) ? since! : 0,
        ...(newest !== undefined && { newest: readCheckpoint(newest) }),
      };
    } catch {
      return this.#unkept;
    }
  }

  write(trust: Trust): void {
    this.#unkept = trust;
    try {
      this.#store.setItem(storeName, JSON.stringify(trust));
    } catch {
      // It holds until the page is closed.
    }
  }

  /** Stores the same data, without the blocks verified from it. */
  begin(trust: Omit<Trust, "newest">): void {
    const { checkpoint, origin, since } = trust;
    this.write({ checkpoint, origin, since });
  }
}
