import { openReader } from "../database/IndexReader.js";
import type { IndexPlace } from "../database/openDatabase.js";
import { type GraphqlAnswer, GraphqlEngine, type GraphqlRequest } from "../graphql/GraphqlEngine.js";

/** An index that is asked in this thread. */
export interface AskedIndex extends AsyncDisposable {
  answer(request: GraphqlRequest): Promise<GraphqlAnswer>;
}

/** Opens an index for questions, without the thread that a node gives them. */
export async function askIndexHere(place: IndexPlace): Promise<AskedIndex> {
  const reader = await openReader(place);
  const engine = new GraphqlEngine(reader);
  return {
    answer: (request) => engine.answer(request),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}
