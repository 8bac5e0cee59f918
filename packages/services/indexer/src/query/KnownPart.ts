import type { IndexReader } from "../database/IndexReader.js";
import { ReadBudget } from "../database/ReadBudget.js";
import { IndexError } from "../IndexError.js";
import { knownSinceKey } from "../write/state.js";

const limits = { timeoutMs: 5_000, rows: 1, bytes: 1_000 };

/**
 * The height from which an index has all of the chain. Blocks that its node did not execute are not in the tables. Sums
 * and lists without them look complete, so they are answered only if the operator allows it.
 */
export class KnownPart {
  readonly #reader: IndexReader;
  readonly #isEnough: boolean;

  /** @param isEnough whether answers may be made from a part of the chain */
  constructor(reader: IndexReader, isEnough: boolean) {
    [this.#reader, this.#isEnough] = [reader, isEnough];
  }

  /**
   * @returns the height; 0 for all of the chain
   * @throws {IndexQueryError} `incomplete` where a part is not enough
   */
  async since(): Promise<bigint> {
    const query = { sql: `select value from indexer_state where key = '${knownSinceKey}'`, parameters: [] };
    const [row] = await this.#reader.rows(query, new ReadBudget(limits));
    const since = BigInt((row?.["value"] as string | undefined) ?? 0);
    if (since > 0n && !this.#isEnough) throw new IndexError({ code: "incomplete", since });
    return since;
  }
}
