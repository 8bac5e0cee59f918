import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { aliased } from "./manyAliases.js";
import { attackerOf, postBytes, repeat, sayAndNeverRead } from "./requests.js";

const connections = 100;

/** Many ask GraphQL for much and never read the answer. */
export const unreadGraphqlAnswers: Attack<AttackedNode> = {
  name: "GraphQL over HTTP: answers that nobody reads",
  async run(target, enough) {
    const bytes = postBytes("/graphql", { query: aliased(2, 4) });
    await repeat(enough, connections, (index) =>
      sayAndNeverRead(target.ports.http, { from: attackerOf(index), bytes }, enough),
    );
    await indexGoesOn(target);
    return [];
  },
};
