import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { ask, attackerOf, repeat } from "./requests.js";

const connections = 20;

/** Many request one block with several deploys of a megabyte, each again when it has the answer. */
export const largeBlocks: Attack<AttackedNode> = {
  name: "20 connections request a block with large deploys",
  async run({ ports: { http: port }, largeBlock }, enough) {
    await repeat(enough, connections, (index) =>
      ask({ port, path: `/api/block/${largeBlock}`, from: attackerOf(index), signal: enough }),
    );
    return [];
  },
};
