import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { MadeChain } from "@vedette/events/testing";
import { bystander, Flood, Timed, untilClosed } from "@vedette/testing";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { EventsNode } from "../testing/EventsNode.js";

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Follows events until it is told where they begin. @throws Error when it is not served */
async function follow(port: number, path: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { localAddress: bystander });
  await once(socket, "message");
  socket.terminate();
}

test.each(["/v2/events", "/ws/events"])(
  "upgrades to %s that never speak leave places to another address, and none behind",
  async (path) => {
    // Places that four addresses would fill.
    const slots = { inAll: 512, perAddress: 128, limitsOwnMachine: true };
    await using node = await EventsNode.start({ limits: { slots } });
    await node.take([new MadeChain().genesis]);
    await follow(node.port, path);
    using flood = new Flood(node.port);
    const others = new Timed(() => follow(node.port, path));
    const said = [upgrade(path), upgrade(path).slice(0, 60), `${upgrade(path)}\x81`, `${upgrade(path)}\x89\x80`];
    let most = 0;
    for (const text of said) {
      const sockets = await flood.addEach(128, text, others.once);
      most = Math.max(most, node.events.connections);
      for (const socket of sockets.slice(0, 256)) socket.end();
    }
    await others.during(500);
    console.log(`${path}: another address was served ${others.text}; at most ${most} silent ones at once`);
    expect(most).toBeGreaterThan(400);
    expect(most).toBeLessThanOrEqual(450);
    expect(others.isAtOnce).toBe(true);
    flood[Symbol.dispose]();
    while (node.events.connections > 0 || node.server.connectionCounts().busy > 0) await sleep(20);
    while (node.server.connectionCounts().idle > 0) await sleep(20);
    await untilClosed(node.port);
  },
  120_000,
);
