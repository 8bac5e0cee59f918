import { bystander } from "@vedette/testing";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { ask, attackerOf, repeat } from "./requests.js";

const connections = 40;
const wanted = { "accept-encoding": "br, gzip" };

/** Many request a large block compressed, of which next to nothing is left to send; others request small ones so. */
export const compressedBlocks: Attack<AttackedNode> = {
  name: "HTTP: large answers compressed again and again",
  async run({ ports: { http: port }, largeBlock }, enough) {
    const gains = new Set<string>();
    const path = `/api/block/${largeBlock}`;
    await Promise.all([
      repeat(enough, connections, (index, round) => {
        const headers = { "accept-encoding": (index + round) % 2 === 0 ? "br" : "gzip" };
        return ask({ port, path, headers, from: attackerOf(index), signal: enough });
      }),
      repeat(enough, 1, async () => {
        const { status } = await ask({ port, path: "/status", headers: wanted, from: bystander });
        if (status !== 200) gains.add(`a compressed status: ${status}`);
      }),
    ]);
    return [...gains];
  },
};
