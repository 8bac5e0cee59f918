/** Why the index cannot do what it was asked for. */
export type IndexFailure =
  | { readonly code: "cannotOpen"; readonly path: string }
  | { readonly code: "noDatabase"; readonly place: string }
  | { readonly code: "noNode"; readonly url: string }
  | { readonly code: "badQuery"; readonly reason: string }
  | { readonly code: "tooSlow"; readonly timeoutMs: number }
  | { readonly code: "tooManyRows"; readonly most: number }
  | { readonly code: "tooMuch"; readonly maxBytes: number }
  | { readonly code: "otherChain"; readonly expected: string; readonly found: string }
  /** The tables lack what lies below a height. */
  | { readonly code: "incomplete"; readonly since: bigint }
  /** What executing a block has shown is not seen yet. */
  | { readonly code: "notYet" }
  /** Another process writes the tables now. */
  | { readonly code: "lostLease" }
  /** What another process wrote is not the chain of this one's node. */
  | { readonly code: "differs"; readonly height: bigint; readonly writer: string };

/** What the index refuses, or cannot do now; the message says what to do. @spec 60 §5 */
export class IndexError extends Error {
  constructor(
    readonly failure: IndexFailure,
    cause?: unknown,
  ) {
    super(sentence(failure, cause), cause === undefined ? undefined : { cause });
    this.name = "IndexError";
  }
}

function sentence(failure: IndexFailure, cause: unknown): string {
  const why = cause instanceof Error ? ` (${cause.message})` : "";
  switch (failure.code) {
    case "cannotOpen":
      return `The index ${failure.path} cannot be opened${why}; check the directory, its owner and the free space`;
    case "noDatabase":
      return `The index's database does not answer at ${failure.place}${why}; it is tried again`;
    case "noNode":
      return `The node does not tell its chain at ${failure.url}${why}; give the address of its admin HTTP port`;
    case "badQuery":
      return failure.reason;
    case "tooSlow":
      return `The query took longer than ${failure.timeoutMs / 1000} s and was ended; ask for less, or by a column that has an index`;
    case "tooManyRows":
      return `The query has more than ${failure.most} rows; ask for fewer, with limit and offset`;
    case "tooMuch":
      return `The answer has more than ${failure.maxBytes >> 20} MiB; ask for fewer rows or columns`;
    case "otherChain":
      return `The index has blocks of another chain (begun with ${failure.found}, not ${failure.expected}); make it anew: vedette index --rebuild`;
    case "incomplete":
      return `This index has all of the chain from block #${failure.since} on: its node began there, and what happened before is in no table. Ask a node that began with genesis; or have this one answer from what it has, by index.partial = true`;
    case "notYet":
      return "What a block did is not known to the node's readers yet; it is asked for again";
    case "lostLease":
      return "Another process has become the index's writer meanwhile, as this one had said nothing for a while";
    case "differs":
      return `Of height ${failure.height} the index has another final block than this node, written by ${failure.writer}; one of the nodes is wrong, or of another network: find out which, and give the other one a schema of its own (index.postgres.schema)`;
  }
}
