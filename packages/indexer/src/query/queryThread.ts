import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@vedette/workers/threads";
import { openReader } from "../database/IndexReader.js";
import type { IndexPlace } from "../database/openDatabase.js";
import { GraphqlEngine, type GraphqlRequest } from "../graphql/GraphqlEngine.js";
import type { GraphqlLimits } from "../graphql/graphqlLimits.js";
import { SqlEngine, type SqlRequest } from "../sql/SqlEngine.js";

/** What a thread that answers questions is told at its start. */
export interface QueryThreadSettings {
  readonly place: IndexPlace;
  readonly graphql: GraphqlLimits;
}

/** A question to it. */
type Question = { readonly id: number } & (
  | { readonly method: "graphql"; readonly argument: GraphqlRequest }
  | { readonly method: "sql"; readonly argument: SqlRequest }
);

lowerPriority("reader");

const { place, graphql } = workerData as QueryThreadSettings;
const reader = await openReader(place);
const engine = new GraphqlEngine(reader, graphql);
const sql = new SqlEngine(reader);

parentPort!.on("message", (question: Question) => {
  const { id } = question;
  answerOf(question).then(
    (result) => parentPort!.postMessage({ id, result, kept: { heapBytes: 0, stackBytes: 0 } }),
    (error: Error) => {
      const { name, message } = error;
      parentPort!.postMessage({ id, error: { name, message }, kept: { heapBytes: 0, stackBytes: 0 } });
    },
  );
});

function answerOf(question: Question): Promise<unknown> {
  return question.method === "graphql" ? engine.answer(question.argument) : sql.answer(question.argument);
}
