import type { HttpClient, StateQuery } from "@vedette/client";

/** A term as the node renders it. */
export interface RenderedTerm {
  readonly rholang: string | null;
  readonly bytes?: string | undefined;
}

/** The data at a name. */
export interface WaitingDatum {
  readonly values: readonly RenderedTerm[];
  readonly isPersistent: boolean;
}

/** A continuation that waits at a name, or at several together. */
export interface Continuation {
  readonly binds: readonly { readonly patterns: readonly RenderedTerm[]; readonly hasRemainder: boolean }[];
  readonly body: RenderedTerm | null;
  readonly isPersistent: boolean;
  readonly peeks: readonly number[];
}

type Answer = Awaited<ReturnType<HttpClient["stateData"]>>;
/** An answer about a state, with entries of one kind. */
export type StateEntriesResponse<Entry> = Omit<Answer, "entries"> & { readonly entries: readonly Entry[] };

/** Reads the data that was sent to a name. @throws {ClientError} */
export async function readData(node: HttpClient, root: string, query: StateQuery, signal?: AbortSignal) {
  return (await node.stateData(root, query, { signal })) as unknown as StateEntriesResponse<WaitingDatum>;
}

/** Reads the continuations that wait at names. @throws {ClientError} */
export async function readContinuations(node: HttpClient, root: string, query: StateQuery, signal?: AbortSignal) {
  return (await node.stateContinuations(root, query, { signal })) as unknown as StateEntriesResponse<Continuation>;
}

/** A term for people; the node prints none that is too large. */
export function printTerm({ rholang }: RenderedTerm): string {
  return rholang ?? "(a term that is too large to be printed)";
}
