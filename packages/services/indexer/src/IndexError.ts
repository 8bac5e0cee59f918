import { errorClass } from "@vedette/errors";

/** The reasons why the index cannot fulfill a request. */
export type IndexFailure =
  | { readonly code: "cannotOpen"; readonly path: string }
  | { readonly code: "noDatabase"; readonly place: string }
  | { readonly code: "noNode"; readonly url: string }
  | { readonly code: "badQuery"; readonly reason: string }
  | { readonly code: "tooSlow"; readonly timeoutMs: number }
  | { readonly code: "tooManyRows"; readonly most: number }
  | { readonly code: "answerTooLarge"; readonly maxBytes: number }
  /** The process that ran the query ended by itself twice, the second time with this query alone. */
  | { readonly code: "crashed" }
  | { readonly code: "otherChain"; readonly expected: string; readonly found: string }
  /** The tables lack what lies below a height. */
  | { readonly code: "incomplete"; readonly since: bigint }
  /** The results of executing a block are not visible yet. */
  | { readonly code: "notYet" }
  /** Another process writes the tables now. */
  | { readonly code: "lostLease" }
  /** The data that another process wrote is of another chain than this node's. */
  | { readonly code: "differs"; readonly height: bigint; readonly writer: string };

/** The requests that the index refuses, or cannot fulfill now; the message states what to do. @spec 60 §5 */
export class IndexError extends errorClass("IndexError", sentence) {}

function sentence(failure: IndexFailure, cause: unknown): string {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  switch (failure.code) {
    case "cannotOpen":
      return `cannot open the index ${failure.path}${why}: check the directory, its owner and the free space`;
    case "noDatabase":
      return `no response from the index database at ${failure.place}${why}: retrying`;
    case "noNode":
      return `cannot read the chain from ${failure.url}${why}: use the admin HTTP address`;
    case "badQuery":
      return failure.reason;
    case "tooSlow":
      return `query exceeded ${failure.timeoutMs / 1000} s: request less, or filter by an indexed column`;
    case "tooManyRows":
      return `query returns more than ${failure.most} rows: use limit and offset`;
    case "answerTooLarge":
      return `response exceeds ${failure.maxBytes >> 20} MiB: request fewer rows or columns`;
    case "crashed":
      return "the process that ran this query ended both times: the query needs too much memory, or meets a fault of the database library: change it";
    case "otherChain":
      return `index of another chain (genesis ${failure.found}, not ${failure.expected}): rebuild it with vedette index --rebuild`;
    case "incomplete":
      return `this index is complete only from block #${failure.since} on, where its node started: query a node that started at genesis, or set index.partial = true`;
    case "notYet":
      return "the readers do not have the results of a block yet: retrying";
    case "lostLease":
      return "lost the writer lease: another process took it after a silence of this one";
    case "differs":
      return `the final block of height ${failure.height} in the index, written by ${failure.writer}, differs from this node: find out which node is wrong, and give the other its own schema (index.postgres.schema)`;
  }
}
