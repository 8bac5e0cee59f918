import { equalBytes } from "@vedette/crypto";
import type { Bond } from "@vedette/protocol";

/** The bonds in the state that was taken last: a block's are compared with them. */
export class StatedBonds {
  #root: Uint8Array | undefined;
  #bonds: readonly Bond[] = [];

  put(root: Uint8Array, bonds: readonly Bond[]): void {
    [this.#root, this.#bonds] = [root, bonds];
  }

  readonly find = (root: Uint8Array): readonly Bond[] | undefined =>
    this.#root !== undefined && equalBytes(this.#root, root) ? this.#bonds : undefined;
}
