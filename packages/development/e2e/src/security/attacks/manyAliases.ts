import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { attackerOf, post, repeat } from "./requests.js";

const clients = 16;

/** A column of programs of a megabyte under this many names, of this many rows. */
export function aliased(aliases: number, rows: number): string {
  const names = Array.from({ length: aliases }, (_, at) => `a${at}: term`).join(" ");
  return `{ deployments(limit: ${rows}, order_by: {source_length: desc}) { ${names} } }`;
}

/** Answers that are many times as large as what is read for them. */
export const manyAliases: Attack<AttackedNode> = {
  name: "GraphQL: a large column under many names",
  async run(target, enough) {
    const { http: port } = target.ports;
    await repeat(enough, clients, (index, round) => {
      const query = aliased([100, 10, 2, 1][round % 4]!, 1 + (index % 5));
      return post({ port, path: "/graphql", from: attackerOf(index), signal: enough }, { query });
    });
    await indexGoesOn(target);
    return [];
  },
};
