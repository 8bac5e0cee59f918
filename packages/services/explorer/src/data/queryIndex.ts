import { explorerSettings } from "./settings.js";

/** The index of the node could not be queried: it may be off, or still be built. */
export class IndexQueryError extends Error {
  override readonly name = "IndexError";
}

/** The node runs without an index. */
export class NoIndexError extends IndexQueryError {}

const longestMs = 8_000;

/**
 * Queries the node's index by GraphQL. A node may have no index; callers then show another answer.
 *
 * @throws {IndexQueryError}
 */
export async function queryIndex<Data>(document: string, variables: object, signal?: AbortSignal): Promise<Data> {
  if (!(await explorerSettings()).hasIndex) throw new NoIndexError("This node has no index");
  const limit = AbortSignal.timeout(longestMs);
  let reply: { readonly data?: Data; readonly errors?: readonly { readonly message: string }[] };
  try {
    const answer = await fetch("/graphql", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: document, variables }),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    if (!answer.ok) throw new IndexQueryError(`The index of this node does not answer (${answer.status})`);
    reply = await answer.json();
  } catch (cause) {
    throw cause instanceof IndexQueryError
      ? cause
      : new IndexQueryError("The index of this node does not answer", { cause });
  }
  if (reply.data === undefined || reply.data === null)
    throw new IndexQueryError(reply.errors?.[0]?.message ?? "The index sent no answer");
  return reply.data;
}
