import { openReader } from "../database/IndexReader.js";
import type { IndexLocation } from "../database/openDatabase.js";
import { type GraphqlAnswer, GraphqlEngine, type GraphqlRequest } from "../graphql/GraphqlEngine.js";
import { type SqlAnswer, SqlEngine, type SqlRequest } from "../sql/SqlEngine.js";

/** An index that is queried in this thread. */
export interface IndexInProcess extends AsyncDisposable {
  answer(request: GraphqlRequest): Promise<GraphqlAnswer>;
  sql(request: SqlRequest): Promise<SqlAnswer>;
}

/** Opens an index for questions, without the thread that a node gives them. */
export async function openIndexInProcess(place: IndexLocation): Promise<IndexInProcess> {
  const reader = await openReader(place);
  const [graphql, sql] = [new GraphqlEngine(reader), new SqlEngine(reader)];
  return {
    answer: (request) => graphql.answer(request),
    sql: (request) => sql.answer(request),
    [Symbol.asyncDispose]: () => reader[Symbol.asyncDispose](),
  };
}
