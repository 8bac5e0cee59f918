import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { attackerOf, post, repeat } from "./requests.js";

const queries = [
  "with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) from c",
  "with recursive c(x, y) as (select 1, hex(x) union all select x + 1, y || hex(x) from c) select max(y) from c",
  "select count(*) from deployments a, deployments b, deployments c, blocks d, blocks e where a.term < b.term",
  "select group_concat(a.term) from deployments a, deployments b, deployments c",
];
const timeoutMs = 8_000;
const graphql = { query: "{ blocks(limit: 2) { block_number } }" };

/** Queries of SQL that do not end, beside questions of GraphQL. */
export const sqlWithoutEnd: Attack<AttackedNode> = {
  name: "SQL without end, beside GraphQL",
  async run(target, enough) {
    const { http, adminHttp } = target.ports;
    await Promise.all([
      repeat(enough, queries.length, (index) =>
        post({ port: adminHttp, path: "/v2/sql", signal: enough }, { query: queries[index], timeoutMs }),
      ),
      repeat(enough, 1, () => post({ port: http, path: "/graphql", from: attackerOf(0), signal: enough }, graphql)),
    ]);
    await indexGoesOn(target);
    return [];
  },
};
