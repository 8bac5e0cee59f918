import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { attackerOf, post, repeat } from "./requests.js";

const clients = 8;
const query = "query ($p: String) { deployments(where: {term: {_like: $p}}) { deploy_id } }";
/** Too long, and as long as may be: of parts that nearly fit again and again. */
const patterns = [
  `%${"\u0001".repeat(45_000)}z`,
  `%${"\u0001".repeat(998)}z`,
  `${"%\u0001".repeat(499)}z`,
  `${"%_".repeat(499)}z`,
];

/** Searches with patterns that take long, on programs of a megabyte, by GraphQL and SQL. */
export const hugePatterns: Attack<AttackedNode> = {
  name: "LIKE and GLOB with huge patterns",
  async run(target, enough) {
    const { http, adminHttp } = target.ports;
    await repeat(enough, clients, async (index, round) => {
      const p = patterns[(index + round) % patterns.length]!;
      if (index % 4 > 0) {
        const variables = { p };
        await post({ port: http, path: "/graphql", from: attackerOf(index), signal: enough }, { query, variables });
        return;
      }
      const sql = [
        `select count(*) from deployments where term glob '${p.replaceAll("%", "*")}'`,
        `select count(*) from deployments where term like '${p}'`,
      ];
      await post({ port: adminHttp, path: "/v2/sql", signal: enough }, { query: sql[round % 2], timeoutMs: 8_000 });
    });
    await indexGoesOn(target);
    return [];
  },
};
