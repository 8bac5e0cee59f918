import { indexTables, openTables } from "@vedette/indexer";
import { must } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";
import { madeIndex } from "../model/madeIndex.js";

/** The codes of allowed refusals; a database error about a malformed query is our fault. */
const codes = new Set(["validation-failed", "tooSlow", "tooManyRows", "answerTooLarge"]);
/** Errors of the engine and of the language, which must not reach an answer. */
const internal = /SQLITE|syntax error near|no such (table|column)|Cannot read|is not (a function|iterable)|undefined/;

/** The first line is an object of variables, where it is one; the rest is the question. */
export const graphql = textTarget({
  name: "graphql",
  about:
    "any question is answered or refused with a reason, the same each time, and no query that is made of it is wrong",
  cost: "expensive",
  files: ["indexer/graphql/"],
  words: [
    ...[
      "query",
      "subscription",
      "mutation",
      "fragment",
      " on ",
      "...",
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      ":",
      "$",
      "!",
      "@",
    ],
    ...["where: {", "order_by: {", "limit: ", "offset: ", "distinct_on: ", "_eq: ", "_in: [", "_like: ", "_is_null: "],
    ...["_and: [", "_or: [", "_not: {", "_gt: ", "asc", "desc_nulls_last", "_aggregate", "aggregate", "nodes"],
    ...[
      "count",
      "columns: ",
      "distinct: true",
      "sum",
      "avg",
      "min",
      "max",
      "_by_pk",
      "__typename",
      "__schema",
      "__type",
    ],
    ...["@skip(if: true)", "@include(if: false)", "null", "true", "1e400", '"%\\\\"', '"\\u0000"', "-1", "\n"],
    ...openTables.flatMap(({ name, columns, relations = {} }) => [
      name,
      ...Object.keys(columns).slice(0, 8),
      ...Object.keys(relations),
    ]),
    ...indexTables.filter(({ isInner }) => isInner === true).map(({ name }) => name),
  ],
  texts: () => [
    "{ blocks(limit: 2, order_by: {block_number: desc}) { block_hash bonds_map deployments { deploy_id transfers { amount_asi } } } }",
    '{"n":"3"}\nquery Q($n: bigint!) { blocks(where: {block_number: {_gt: $n}}) { ...F } } fragment F on blocks { a: block_number }',
    "{ deployments_aggregate(where: {errored: {_eq: true}}) { aggregate { count sum { phlo_cost } max { block_number } } nodes { deploy_id } } }",
    'subscription { blocks(where: {_or: [{block_hash: {_ilike: "4a%"}}, {_not: {seq_num: {_in: [1, 2]}}}]}) { block_number } }',
    '{ blocks_by_pk(block_hash: "00") { block_number } transfers(distinct_on: [from_address], order_by: {from_address: asc}) { amount_dust } }',
    "{ __schema { types { name fields { name } } } }",
  ],
  maxBytes: 1_500,
  check: async (text) => {
    const { index } = await madeIndex();
    const { variables, query } = requestOf(text);
    const answer = await index.answer({ query, variables });
    const reply = JSON.parse(JSON.stringify(answer.body)) as { data?: unknown; errors?: readonly ApiErrorBody[] };
    must(reply.data !== undefined || (reply.errors?.length ?? 0) > 0, "there is an answer, or a reason");
    must(!answer.isRefused || reply.data === undefined, "what is refused has no answer");
    for (const { message, extensions } of reply.errors ?? []) {
      must(codes.has(extensions.code), () => `${extensions.code}: ${message}`);
      must(!internal.test(message), () => `an error of ours: ${message}`);
    }
    if (reply.errors?.some(({ extensions }) => extensions.code === "tooSlow") === true) return;
    const again = await index.answer({ query, variables });
    must(JSON.stringify(again.body) === JSON.stringify(answer.body), "the same question has the same answer");
  },
});

interface ApiErrorBody {
  readonly message: string;
  readonly extensions: { readonly code: string };
}

function requestOf(text: string): { readonly query: string; readonly variables: Record<string, unknown> } {
  const end = text.indexOf("\n");
  try {
    const variables = JSON.parse(text.slice(0, end));
    if (end >= 0 && typeof variables === "object" && variables !== null && !Array.isArray(variables))
      return { variables, query: text.slice(end + 1) };
  } catch {
    // No variables then.
  }
  return { variables: {}, query: text };
}
