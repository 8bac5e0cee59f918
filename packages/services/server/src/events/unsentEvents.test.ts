import { once } from "node:events";
import { connect } from "node:net";
import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { UnsentAnswers } from "../http/UnsentAnswers.js";
import { WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

const path = "/v2/events";
/** More than the events of one block, less than these and what is kept for a follower that does not read. */
const maxBytes = 600_000;

async function followLazily(port: number, kind: string): Promise<() => void> {
  if (kind === "a WebSocket") {
    const { socket } = await WebSocketClient.connect(port, path, { isPaused: true });
    return () => socket.terminate();
  }
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  await once(socket, "connect");
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return () => void socket.destroy();
}

test.each(["a WebSocket", "server-sent events"])(
  "events that a follower at %s does not read count with all answers: it is cut off, and others receive all",
  async (kind) => {
    const made = new FakeEventChain();
    const unsent = new UnsentAnswers(maxBytes);
    await using node = await EventsNode.start({ server: { unsent } });
    await node.take([made.genesis]);
    const leave = await followLazily(node.port, kind);
    await using steady = await WebSocketClient.connect(node.port, path);
    await until("both to follow", () => node.events.connections === 2);
    let most = 0;
    for (let blocks = 1; blocks <= 40; blocks += 1) {
      await node.take([made.nextLong()]);
      await steady.until((messages) => messages.length === 1 + blocks * 4);
      most = Math.max(most, unsent.bytes);
      if (blocks > 2 && node.events.connections === 1) break;
    }
    expect(node.events.connections).toBe(1);
    expect(most).toBeLessThanOrEqual(maxBytes);
    await until("all to be read", () => unsent.bytes === 0);
    leave();
  },
);
