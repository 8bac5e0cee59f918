import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, getBytes, repeat, sayAndNeverRead } from "./requests.js";

const connections = 100;

/** Many clients request a large block and never read the answer. */
export const unreadHttpAnswers: Attack<AttackedNode> = {
  name: "HTTP: unread answers",
  async run({ ports: { http }, largeBlock }, enough) {
    const bytes = getBytes(`/api/block/${largeBlock}`);
    await repeat(enough, connections, (index) => sayAndNeverRead(http, { from: attackerOf(index), bytes }, enough));
    return [];
  },
};
