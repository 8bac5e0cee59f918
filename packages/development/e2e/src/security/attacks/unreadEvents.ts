import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { attackerOf, getBytes, repeat, sayAndNeverRead } from "./requests.js";

const connections = 400;
const upgrade =
  "connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";
const kinds = [getBytes("/v2/events?after=oldest"), getBytes("/ws/events", upgrade), getBytes("/v2/events")];

/** Followers of events that read none. */
export const unreadEvents: Attack<AttackedNode> = {
  name: "events: followers that never read",
  async run({ ports: { http } }, enough) {
    await repeat(enough, connections, (index) =>
      sayAndNeverRead(http, { from: attackerOf(index), bytes: kinds[index % kinds.length]! }, enough),
    );
    return [];
  },
};
