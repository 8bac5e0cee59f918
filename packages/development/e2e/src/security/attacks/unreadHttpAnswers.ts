import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, getBytes, repeat, sayAndNeverRead } from "./requests.js";

const connections = 100;

/** Many clients request one of two long blocks and never read the answer. */
export const unreadHttpAnswers: Attack<AttackedNode> = {
  name: "HTTP: unread answers",
  async run({ ports: { http }, largeBlock, middleBlock }, enough) {
    const questions = [largeBlock, middleBlock].map((hash) => getBytes(`/api/block/${hash}`));
    await repeat(enough, connections, (index) => {
      const bytes = questions[index % questions.length]!;
      return sayAndNeverRead(http, { from: attackerOf(index), bytes }, enough);
    });
    return [];
  },
};
