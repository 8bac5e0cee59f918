import { transferTerm } from "@vedette/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IndexReader, openReader } from "../database/IndexReader.js";
import {
  databaseKinds,
  fillIndex,
  madeBlock,
  madeChain,
  madeDeploy,
  madeHash,
  madeUser,
  TestPlaces,
} from "../testing/index.js";
import { type GraphqlAnswer, GraphqlEngine } from "./GraphqlEngine.js";
import { defaultGraphqlLimits } from "./graphqlLimits.js";

/** As a client reads it. */
const reportedBy = ({ body }: GraphqlAnswer) => JSON.parse(JSON.stringify(body));

describe.each(databaseKinds)("over %s, GraphQL", (kind) => {
  const places = new TestPlaces(kind);
  let engine: GraphqlEngine;
  let reader: IndexReader;

  beforeAll(async () => {
    const place = await places.place();
    await fillIndex(place, madeChain(), 9);
    reader = await openReader(place);
    engine = new GraphqlEngine(reader);
  });

  afterAll(async () => {
    await reader[Symbol.asyncDispose]();
    await places[Symbol.asyncDispose]();
  });

  const ask = async (query: string, variables: Record<string, unknown> = {}) =>
    reportedBy(await engine.answer({ query, variables }));
  const data = async (query: string, variables: Record<string, unknown> = {}) => {
    const answer = await ask(query, variables);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };

  test("is refused where the tables lack the beginning of the chain, unless that is enough", async () => {
    const place = await places.place();
    await fillIndex(
      place,
      madeChain().map((block) => ({ ...block, lacksEffects: block.number <= 6n })),
    );
    await using part = await openReader(place);
    const query =
      '{ transfers_aggregate { aggregate { count } } state: indexer_state_by_pk(key: "known_since") { value } }';
    const refused = reportedBy(await new GraphqlEngine(part).answer({ query }));
    expect(refused.errors).toMatchObject([
      { message: expect.stringContaining("from block #7 on"), extensions: { code: "incomplete" } },
    ]);
    expect(refused.data).toBeNull();
    const own = '{ state: indexer_state_by_pk(key: "known_since") { value } __schema { queryType { name } } }';
    const refusedState = reportedBy(await new GraphqlEngine(part).answer({ query: own }));
    expect(refusedState).toMatchObject({ data: { state: { value: "7" } } });
    const given = reportedBy(await new GraphqlEngine(part, defaultGraphqlLimits, true).answer({ query }));
    expect(given).toMatchObject({
      data: { transfers_aggregate: { aggregate: { count: 4 } } },
      extensions: { knownSince: "7" },
    });
    expect(await ask(query)).not.toHaveProperty("extensions");
  });

  test("answers a field that a request names __proto__ as any other", async () => {
    const { blocks, all } = await data(`{
      blocks(where: {block_number: {_eq: 2}}) { __proto__: block_number }
      all: blocks_aggregate { __proto__: aggregate { __proto__: count } }
    }`);
    expect(JSON.stringify([blocks, all])).toBe('[[{"__proto__":"2"}],{"__proto__":{"__proto__":10}}]');
  });

  test("reports what deploys did, by their programs and by their transfers", async () => {
    const place = await places.place();
    const [from, to, amount] = [madeUser("u1").address, madeUser("u2").address, 2n ** 53n + 1n];
    const term = transferTerm(from, to, amount, "rnode");
    const [paid, failed, lost] = [
      madeDeploy("paid", { term }),
      madeDeploy("failed", { errored: true, error: "boom" }),
      madeDeploy("large", { term: `@"x"!("${"a".repeat(65_536)}")` }),
    ];
    const moved = { kind: "deploy", from, to, amount, deployId: paid.id, failReason: undefined } as const;
    const block = madeBlock("b1", 1, { deploys: [paid, failed, lost], transfers: [moved] });
    await fillIndex(place, [madeBlock("b0", 0), block], 2);
    await using filled = await openReader(place);
    const query = "{ deployments { deploy_id summary } }";
    const { data: found } = reportedBy(await new GraphqlEngine(filled).answer({ query }));
    const summaries = new Map(
      found.deployments.map((row: { deploy_id: string; summary: unknown }) => [row.deploy_id, row.summary]),
    );
    expect(summaries.get(paid.id)).toEqual([
      { type: "transfer", from, to, amount: "9007199254740993", outcome: "done", reason: null },
    ]);
    expect(summaries.get(failed.id)).toMatchObject([
      { type: "failed", reason: "boom", line: null },
      { type: "call", outcome: "undone" },
    ]);
    // More programs than one request may have read.
    expect(summaries.get(lost.id)).toBeNull();
  });

  test("returns rows with what belongs to them, in one order", async () => {
    const { blocks } = await data(
      `query Latest($limit: Int = 2) { blocks(limit: $limit, order_by: {block_number: desc}) {
        ...Facts deployments { deploy_id errored error_message transfers { amount_asi amount_dust } block { block_hash } }
      } }
      fragment Facts on blocks { __typename number: block_number finalization_status bonds_map justifications created_at }`,
      { limit: 1 },
    );
    expect(blocks).toMatchObject([
      {
        __typename: "blocks",
        number: "9",
        finalization_status: "unfinalized",
        bonds_map: [{ stake: 1000 }, { stake: 10 }],
        deployments: [{ block: { block_hash: madeHash("block b9") } }, {}],
      },
    ]);
    expect(blocks[0].created_at).toMatch(/^2023-11-14T22:14:05/);
    const [deployed] = blocks[0].deployments.filter(({ errored }: { errored: boolean }) => !errored);
    expect(deployed.transfers).toEqual([{ amount_asi: "13.50000000", amount_dust: "1350000000" }]);
  });

  test.each([
    [`{block_number: {_gt: "3", _lte: 6}}`, ["4", "5", "6"]],
    [
      `{_or: [{block_number: {_eq: 1}}, {block_hash: {_ilike: "%${madeHash("block b2").slice(4, 20).toUpperCase()}%"}}]}`,
      ["1", "2"],
    ],
    [`{_not: {block_number: {_gte: 1}}}`, ["0"]],
    [`{block_number: {_in: [2, 3]}, proposer: {_neq: ""}}`, ["2", "3"]],
    [`{block_number: {_nin: [0,1,2,3,4,5,6,7]}}`, ["8", "9"]],
    [`{deployments: {phlo_cost: {_eq: 6}}}`, ["6"]],
    [`{block_hash: {_like: "${madeHash("block b7").slice(0, 8)}%"}}`, ["7"]],
    [`{block_hash: {_like: "${madeHash("block b7").slice(0, 8).toUpperCase()}%X"}}`, []],
    [`{block_hash: {_ilike: "${madeHash("block b7").slice(0, 8).toUpperCase()}%"}}`, ["7"]],
    [`{block_hash: {_ilike: "${madeHash("block b7").toUpperCase()}%"}}`, ["7"]],
    [`{block_hash: {_nlike: "${madeHash("block b7").slice(0, 8)}%"}, block_number: {_gt: 5}}`, ["6", "8", "9"]],
    [
      `{parent_hash: {_nilike: "${madeHash("block b7").slice(0, 6).toUpperCase()}%"}, block_number: {_gt: 6}}`,
      ["7", "9"],
    ],
    [`{fault_tolerance: {_is_null: false}}`, []],
    [`{_or: []}`, []],
    [`{fate: {_eq: "pending"}}`, ["9"]],
    [`{created_at: {_gte: "2023-11-14T22:14:00Z"}}`, ["8", "9"]],
    [`{}`, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"]],
  ])("finds where %s", async (where, numbers) => {
    const { blocks } = await data(`{ blocks(where: ${where}, order_by: [{block_number: asc}]) { block_number } }`);
    expect(blocks.map((block: { block_number: string }) => block.block_number)).toEqual(numbers);
  });

  test("compares tokens without rounding", async () => {
    const amounts = async (where: string) => {
      const { transfers } = await data(
        `{ transfers(where: {amount_asi: ${where}}, order_by: {amount_asi: asc}) { amount_asi } }`,
      );
      return transfers.map((transfer: { amount_asi: string }) => transfer.amount_asi);
    };
    expect(await amounts(`{_gte: "4.5"}`)).toEqual(["4.50000000", "9.00000000", "13.50000000"]);
    expect(await amounts(`{_gt: 4.5, _lt: "13.499999999"}`)).toEqual(["9.00000000"]);
    expect(await amounts(`{_in: ["9", 0]}`)).toEqual(["0.00000000", "9.00000000"]);
  });

  test("counts and adds up", async () => {
    const answer = await data(`{
      blocks_aggregate { aggregate { count max { block_number } } }
      failed: deployments_aggregate(where: {errored: {_eq: true}}) { aggregate { count sum { phlo_cost } avg { phlo_cost } } nodes { errored } }
      transfers_aggregate { aggregate { sum { amount_asi } avg { amount_asi } min { amount_dust } } }
      deployers: deployments_aggregate { aggregate { count(columns: deployer, distinct: true) } }
      first: blocks_aggregate(limit: 3, order_by: {block_number: asc}) { aggregate { count max { block_number } } }
      validators { public_key validator_bonds_aggregate { aggregate { count } } }
    }`);
    expect(answer).toMatchObject({
      blocks_aggregate: { aggregate: { count: 10, max: { block_number: "9" } } },
      failed: { aggregate: { count: 4, sum: { phlo_cost: "4000" }, avg: { phlo_cost: 1000 } } },
      transfers_aggregate: {
        aggregate: { sum: { amount_asi: "27.00000000" }, avg: { amount_asi: 6.75 }, min: { amount_dust: "0" } },
      },
      deployers: { aggregate: { count: 2 } },
      first: { aggregate: { count: 3, max: { block_number: "2" } } },
      validators: [{ validator_bonds_aggregate: { aggregate: { count: 10 } } }, {}],
    });
    expect(answer.failed.nodes).toHaveLength(4);
  });

  test("adds up exactly what is more than its column holds", async () => {
    const place = await places.place();
    const [from, to] = [madeUser("u1").address, madeUser("u2").address];
    const pay = madeDeploy("pay");
    const moved = { kind: "deploy", from, to, failReason: "Insufficient funds", deployId: pay.id } as const;
    const transfers = [2n ** 63n - 1n, 2n ** 63n - 1n, -5n].map((amount) => ({ ...moved, amount }));
    const blocks = [0, 1, 2].map((number) => madeBlock(`s${number}`, number, { seqNum: 2 ** 31 - 1 }));
    await fillIndex(place, [...blocks, madeBlock("s3", 3, { seqNum: 7, deploys: [pay], transfers })]);
    await using reader = await openReader(place);
    const query = `{
      blocks_aggregate { aggregate { sum { seq_num } max { seq_num } avg { seq_num } } }
      none: blocks_aggregate(where: {block_number: {_lt: 0}}) { aggregate { sum { seq_num } avg { seq_num } max { seq_num } } }
      transfers_aggregate { aggregate { sum { amount_dust amount_asi } min { amount_dust } } }
    }`;
    expect(reportedBy(await new GraphqlEngine(reader).answer({ query }))).toEqual({
      data: {
        blocks_aggregate: {
          aggregate: {
            sum: { seq_num: "6442450948" },
            max: { seq_num: 2_147_483_647 },
            avg: { seq_num: 1_610_612_737 },
          },
        },
        none: { aggregate: { sum: { seq_num: null }, avg: { seq_num: null }, max: { seq_num: null } } },
        transfers_aggregate: {
          aggregate: {
            sum: { amount_dust: "18446744073709551609", amount_asi: "184467440737.09551609" },
            min: { amount_dust: "-5" },
          },
        },
      },
    });
  });

  test("counts all rows of a table as it counts the rows that a condition chooses", async () => {
    const answer = await data(`{
      blocks_aggregate { aggregate { all: count __typename } }
      deployments_aggregate { aggregate { count } }
      transfers_aggregate { aggregate { count } }
      again: blocks_aggregate(where: {block_number: {_gte: 0}}) { aggregate { count } }
      deploys: deployments_aggregate(where: {phlo_cost: {_gte: 0}}) { aggregate { count } }
      empty: deployments_aggregate(where: {}) { aggregate { count } nodes { deploy_id } }
      one: blocks_aggregate(limit: 1) { aggregate { count } }
      none: blocks_aggregate(where: {block_number: {_lt: 0}}) { aggregate { count } }
    }`);
    const count = (key: string) => answer[key].aggregate.count;
    expect(answer.blocks_aggregate.aggregate).toMatchObject({ all: count("again") });
    expect([count("deployments_aggregate"), count("empty")]).toEqual([count("deploys"), count("deploys")]);
    expect(answer.empty.nodes).toHaveLength(count("empty"));
    expect([count("again"), count("one"), count("none")]).toEqual([10, 1, 0]);
  });

  test("gives each parent a list of its own", async () => {
    const { blocks } = await data(`{ blocks(where: {deployment_count: {_gt: 0}}, order_by: {block_number: asc}) {
      deployments(limit: 1, offset: 1, order_by: {phlo_cost: asc}) { phlo_cost } parent_links { parent_block { block_number } }
    } }`);
    expect(blocks).toEqual(
      [0, 3, 6, 9].map((number) => ({
        deployments: [{ phlo_cost: "1000" }],
        parent_links: number === 0 ? [] : [{ parent_block: { block_number: String(number - 1) } }],
      })),
    );
  });

  test("finds by key, by other rows' order, one of each", async () => {
    const hash = madeHash("block b4");
    expect(
      await data(
        `{ blocks_by_pk(block_hash: "${hash}") { block_number } other: blocks_by_pk(block_hash: "x") { block_number } }`,
      ),
    ).toEqual({
      blocks_by_pk: { block_number: "4" },
      other: null,
    });
    const { deployments } = await data(
      `{ deployments(order_by: [{block: {block_number: desc}}, {phlo_cost: desc}], limit: 1) { block_number phlo_cost } }`,
    );
    expect(deployments).toEqual([{ block_number: "9", phlo_cost: "1000" }]);
    const each = await data(
      `{ deployments(distinct_on: [deployer], order_by: [{deployer: asc}, {block_number: desc}]) { block_number } }`,
    );
    expect(each.deployments).toEqual([{ block_number: "9" }, { block_number: "9" }]);
  });

  test("has the ecosystem's functions, and words of programs", async () => {
    const answer = await data(
      `query Metrics($hours: Int!) {
        get_network_metrics(args: {p_range_hours: $hours, p_divisions: 6}, order_by: {bucket_start: asc}) { bucket_start deployments_count transfers_count avg_tps avg_block_time_seconds }
        get_block_ancestors(args: {p_block_hash: "${madeHash("block b2")}"}, order_by: {depth: asc}) { ancestor_number depth }
        get_block_descendants(args: {p_block_hash: "${madeHash("block b8")}"}) { descendant_number }
        search_deployments(args: {query: "hello_6"}) { block_number term }
        begins: search_deployments(args: {query: "match hello*"}, order_by: {block_number: asc}, limit: 2) { block_number }
        balances { balance_dust balance_asi balance_states_aggregate { aggregate { count } } }
        transaction_history_view(where: {type: {_eq: "transfer"}}) { type amount_asi }
      }`,
      { hours: 1 },
    );
    expect(answer.get_network_metrics).toHaveLength(6);
    expect(answer.get_network_metrics.at(-1)).toMatchObject({ deployments_count: "8", transfers_count: "4" });
    const times = answer.get_network_metrics.map((part: { avg_block_time_seconds: string }) =>
      Number(part.avg_block_time_seconds),
    );
    expect(times).toEqual([0, 0, 0, 0, 0, 5]);
    expect(answer.get_block_ancestors).toEqual([
      { ancestor_number: "1", depth: 1 },
      { ancestor_number: "0", depth: 2 },
    ]);
    expect(answer.get_block_descendants).toEqual([{ descendant_number: "9" }]);
    expect(answer.search_deployments).toEqual([{ block_number: "6", term: 'match "x" { y => hello_6 }' }]);
    expect(answer.begins).toEqual([{ block_number: "0" }, { block_number: "3" }]);
    expect(answer.balances).toEqual([
      {
        balance_dust: "1152921504606846976",
        balance_asi: "11529215046.06846976",
        balance_states_aggregate: { aggregate: { count: 4 } },
      },
    ]);
    expect(answer.transaction_history_view).toHaveLength(4);
  });

  test("answers subscriptions as they are now, and introspection", async () => {
    const answer = await engine.answer({
      query: `subscription { blocks(limit: 1, order_by: {block_number: desc}) { block_number } }`,
    });
    expect(answer.operation).toBe("subscription");
    expect(reportedBy(answer)).toEqual({ data: { blocks: [{ block_number: "9" }] } });
    const schema = await data(
      `{ __schema { queryType { name fields { name } } } __type(name: "blocks_bool_exp") { kind } }`,
    );
    expect(schema.__schema.queryType.fields.map(({ name }: { name: string }) => name)).toContain(
      "validator_bonds_aggregate",
    );
  });

  test.each([
    [`{ blocks(where: {block_hash: {_eq: null}}) { block_hash } }`, /where\.block_hash\._eq must not be null/],
    [`{ blocks { block_numbr } }`, /Cannot query field "block_numbr" on type "blocks"/],
    [`{ blocks(where: {block_number: {_eq: "many"}}) { block_hash } }`, /bigint must be an integer/],
    [`{ blocks(limit: -1) { block_hash } }`, /blocks\.limit must not be negative/],
    [`{ blocks(where: {created_at: {_gt: "soon"}}) { block_hash } }`, /timestamp must be a time/],
    [`{ search_deployments(args: {query: "--"}) { deploy_id } }`, /args\.query must have a word/],
    [`{ get_network_metrics(args: {p_divisions: 100000}) { avg_tps } }`, /args\.p_divisions must lie between/],
    [
      `{ blocks(where: {block_number: {_in: [${Array(1001).fill(1)}]}}) { block_hash } }`,
      /_in has more than 1000 values/,
    ],
    [`{`, /Syntax Error/],
  ])("refuses %s", async (query, message) => {
    const answer = await ask(query);
    expect(answer.errors[0].message).toMatch(message);
    expect(answer.errors[0].extensions.path).toMatch(/^\$/);
  });

  test.each([
    [
      "deep",
      `{ blocks ${"{ parent_links { parent_block ".repeat(8)} { block_hash } ${"} }".repeat(8)} }`,
      /fields deep/,
    ],
    ["wide", `{ ${Array.from({ length: 21 }, (_, at) => `a${at}: blocks { block_hash }`).join(" ")} }`, /at its root/],
    [
      "many names",
      `{ blocks { ${Array.from({ length: 101 }, (_, at) => `a${at}: block_hash`).join(" ")} } }`,
      /other names/,
    ],
    ["long", `{ blocks { ${"block_hash ".repeat(5_000)} } }`, /tokens/],
    [
      "fragments that multiply",
      `{ blocks { ...f0 } } ${Array.from({ length: 12 }, (_, at) => `fragment f${at} on blocks { ...f${at + 1} ...f${at + 1} }`).join(" ")} fragment f12 on blocks { block_hash }`,
      /more than 2000 fields/,
    ],
    [
      // Each would be gone through 2^40 times: one that ends the request late would freeze it here.
      "fragments that multiply, and come to no field",
      `{ blocks { ...f0 } } ${Array.from({ length: 40 }, (_, at) => `fragment f${at} on blocks { ...f${at + 1} ...f${at + 1} }`).join(" ")}`,
      /more than 2000 fields/,
    ],
    [
      "fragments that nothing uses",
      "{ blocks { block_hash } } fragment f on blocks { block_hash block_hash }",
      /fragment f is not used/,
    ],
    [
      "wide, by a fragment",
      `{ ...r } fragment r on query_root { ${Array.from({ length: 21 }, (_, at) => `a${at}: blocks { block_hash }`).join(" ")} }`,
      /at its root/,
    ],
    [
      "a long pattern",
      `{ deployments(where: {term: {_like: "${"%a".repeat(600)}"}}) { term } }`,
      /more than 1000 characters/,
    ],
    [
      "a fragment in itself",
      `{ blocks { ...f } } fragment f on blocks { parent_links { parent_block { ...f } } }`,
      /used within itself/,
    ],
    [
      "conditions",
      `{ blocks(where: ${"{_not: ".repeat(12)}{}${"}".repeat(12)}) { block_hash } }`,
      /more than 10 times/,
    ],
    [
      "types of types",
      `{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }`,
      /introspection depth/i,
    ],
  ])("refuses what is too large: %s", async (_name, query, message) => {
    const { errors } = await ask(query);
    expect(errors[0].message).toMatch(message);
  });

  test("ends what takes too long, and what is too much", async () => {
    const { cost, read } = defaultGraphqlLimits;
    const few = new GraphqlEngine(reader, { cost, read: { ...read, rows: 12 } });
    const answer = reportedBy(await few.answer({ query: "{ blocks { block_hash deployments { deploy_id } } }" }));
    expect(answer.errors[0]).toMatchObject({ extensions: { code: "tooManyRows" } });
    const short = new GraphqlEngine(reader, { cost, read: { ...read, bytes: 100 } });
    expect(JSON.stringify(await short.answer({ query: "{ deployments { term } }" }))).toMatch(/answerTooLarge/);
    const late = new GraphqlEngine(reader, { cost, read: { ...read, timeoutMs: 0 } });
    expect(JSON.stringify(await late.answer({ query: "{ blocks { block_hash } }" }))).toMatch(/tooSlow/);
  });
});
