import { blake2b256 } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import { hashKey } from "@vedette/protocol";

/** Wallets' programs are far shorter; a longer one is never familiar, which saves the search through it. */
const longestProgram = 16_384;
const maxStored = 20_000;
const utf8 = new TextEncoder();

/** Texts and numbers: what differs between two uses of one program. A text that does not end goes to the end. */
const literals = /"(?:[^"\\]|\\.)*"?|\b\d+\b/gs;

/**
 * Returns a program without its texts and numbers: the same for all transfers of one wallet.
 *
 * @returns `undefined` for a long program
 */
export function programShape(term: string): string | undefined {
  if (term.length > longestProgram) return undefined;
  const shape = term.replaceAll(literals, (literal) => (literal.startsWith('"') ? '""' : "0"));
  return hashKey(blake2b256(utf8.encode(shape)));
}

/**
 * Remembers programs from recent blocks that were paid for, from any sender.
 *
 * Keys are free, and a deploy that cannot be executed costs nothing. So payment for a program shows better than the
 * sender whether the program delays others. Another text or number in it may still make it run for long; then it is
 * forgotten, and must be paid for once more before it is familiar again.
 *
 * Ours, and nothing that others check: it decides about the order in which deploys are tried (40 §9.5).
 */
export class RecentlyPaidPrograms {
  readonly #trusted: ReadonlySet<string>;
  /** The last ones that were paid for come last. */
  readonly #paid = new Set<string>();

  /** @param trusted texts of programs that are always familiar */
  constructor(trusted: readonly string[] = []) {
    this.#trusted = new Set(trusted.flatMap((term) => programShape(term) ?? []));
  }

  isRecentlyPaid(shape: string | undefined): boolean {
    return shape !== undefined && (this.#trusted.has(shape) || this.#paid.has(shape));
  }

  isTrusted(shape: string | undefined): boolean {
    return shape !== undefined && this.#trusted.has(shape);
  }

  /** Records a program that a deploy in a block has paid for. */
  notePaid(term: string): void {
    const shape = programShape(term);
    if (shape === undefined) return;
    this.#paid.delete(shape);
    this.#paid.add(shape);
    dropOldest(this.#paid, maxStored);
  }

  /** A deploy with this program could not be executed. */
  forget(shape: string | undefined): void {
    if (shape !== undefined) this.#paid.delete(shape);
  }
}
