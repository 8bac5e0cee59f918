import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";

const capacity = 20_000;

interface Copy {
  readonly sender: string;
  /** Whether an earlier copy of the same block was refused. */
  readonly isSecond: boolean;
}

/**
 * Which peer gave the copy of a block that is stored, and whether it is the first.
 *
 * Neither hash nor signature covers a block's justifications, so any peer can change them in an honest block. What
 * they can bring about is held against the block only in a second copy, from another peer where one has it.
 *
 * @spec 40 §4.2, §5.9
 */
export class BlockCopyOrigins {
  readonly #copies = new Map<string, Copy>();
  readonly #refused = new Set<string>();
  readonly #doubted = new Set<string>();

  /** Notes a copy that is now the stored one. */
  received(hash: Uint8Array, sender: string): void {
    const key = hashKey(hash);
    this.#copies.delete(key);
    this.#doubted.delete(key);
    this.#copies.set(key, { sender, isSecond: this.#refused.delete(key) });
    dropOldest(this.#copies, capacity);
  }

  /** Notes that the stored copy was refused. */
  refused(hash: Uint8Array): void {
    this.#refused.add(hashKey(hash));
    dropOldest(this.#refused, capacity);
  }

  /** Notes that what the stored copy refers to is nowhere to be found. */
  doubt(hash: Uint8Array): void {
    this.#doubted.add(hashKey(hash));
    dropOldest(this.#doubted, capacity);
  }

  /** Whether another copy is to take the place of the stored one. */
  isDoubted(hash: Uint8Array): boolean {
    return this.#doubted.has(hashKey(hash));
  }

  /** The block is recorded: its copies do not matter any more. */
  settled(hash: Uint8Array): void {
    const key = hashKey(hash);
    this.#copies.delete(key);
    this.#refused.delete(key);
    this.#doubted.delete(key);
  }

  /** Whether the stored copy came after another had been refused. */
  isSecond(hash: Uint8Array): boolean {
    return this.#copies.get(hashKey(hash))?.isSecond === true;
  }

  /** Id of the peer that gave the stored copy, if it is known. */
  senderOf(hash: Uint8Array): string | undefined {
    return this.#copies.get(hashKey(hash))?.sender;
  }
}
