import { once } from "node:events";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { bystander, Flood, until, untilClosed } from "@vedette/testing";
import { test } from "vitest";
import { WebSocket } from "ws";
import { EventsNode } from "../testing/EventsNode.js";

const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
  "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

/** Follows events until the first message names their beginning, and leaves. @throws Error when it is not served */
async function follow(port: number, path: string): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { localAddress: bystander });
  await once(socket, "message");
  const closed = once(socket, "close");
  // The server frees the place before the client notices that the connection is closed.
  socket.close();
  await closed;
}

test.each(["/v2/events", "/ws/events"])(
  "upgrades to %s that never speak leave places to another address, and none behind",
  async (path) => {
    // Places that four addresses would fill; 16 of them are not for addresses that have many.
    const slots = { inAll: 128, perAddress: 32, limitsOwnMachine: true };
    const forThem = 112;
    await using node = await EventsNode.start({ limits: { slots } });
    await node.take([new FakeEventChain().genesis]);
    await follow(node.port, path);
    using flood = new Flood(node.port);
    const serveAnother = () => follow(node.port, path);
    const state = () => `${node.events.connections} follow events`;
    // Nothing after the upgrade, and the beginnings of two frames.
    for (const frame of ["", "\x81", "\x89\x80"]) {
      const sockets = await flood.addEach(32, Buffer.from(upgrade(path) + frame, "latin1"), serveAnother);
      await until("the silent ones to fill their places", () => node.events.connections === forThem, { state });
      await serveAnother();
      for (const socket of sockets.slice(0, 64)) socket.end();
      for (const socket of sockets.slice(64)) socket.destroy();
      await until("the places to be given back", () => node.events.connections === 0, { state });
    }
    // Half of an upgrade takes no place.
    await flood.addEach(32, upgrade(path).slice(0, 60), serveAnother);
    await flood.addEach(32, upgrade(path), serveAnother);
    await until("the silent ones to fill their places", () => node.events.connections === forThem, { state });
    flood[Symbol.dispose]();
    await until(
      "the server to have no connection",
      () =>
        node.events.connections === 0 && Object.values(node.server.connectionCounts()).every((count) => count === 0),
      { state: () => `${state()}; ${JSON.stringify(node.server.connectionCounts())}` },
    );
    await untilClosed(node.port);
  },
);
