import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { aliased } from "./manyAliases.js";
import { attackerOf, postBytes, repeat, sayAndNeverRead } from "./requests.js";

const connections = 100;

/** Many clients send large GraphQL queries and never read the answers. */
export const unreadGraphqlAnswers: Attack<AttackedNode> = {
  name: "GraphQL over HTTP: unread answers",
  async run(target, enough) {
    // As much as is answered, and four times as much.
    const questions = [1, 4].map((rows) => postBytes("/graphql", { query: aliased(2, rows) }));
    await repeat(enough, connections, (index) =>
      sayAndNeverRead(
        target.ports.http,
        { from: attackerOf(index), bytes: questions[index % 4 === 3 ? 1 : 0]! },
        enough,
      ),
    );
    await indexGoesOn(target);
    return [];
  },
};
