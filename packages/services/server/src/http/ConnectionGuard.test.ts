import { EventEmitter } from "node:events";
import type { Server } from "node:http";
import { expect, test } from "vitest";
import { ConnectionGuard } from "./ConnectionGuard.js";

/** A socket as far as the guard looks at it. */
class FakeSocket extends EventEmitter {
  isClosed = false;

  constructor(readonly remoteAddress: string) {
    super();
  }

  destroy(): void {
    this.isClosed = true;
    this.emit("close");
  }
}

function guarded(limits: { readonly connections: number; readonly connectionsPerAddress: number }) {
  const server = new EventEmitter();
  new ConnectionGuard({ limitsOwnMachine: false, ...limits }).watch(server as unknown as Server);
  return {
    open(address: string): FakeSocket {
      const socket = new FakeSocket(address);
      server.emit("connection", socket);
      return socket;
    },
    /** @returns ends the request */
    request(socket: FakeSocket): () => void {
      const response = new EventEmitter();
      server.emit("request", { socket }, response);
      return () => response.emit("close");
    },
    upgrade: (socket: FakeSocket) => server.emit("upgrade", { socket }),
    giveBack: (socket: FakeSocket) => server.emit("connection", socket),
  };
}

test("the socket that has been idle longest makes room for a new one", () => {
  const { open, request } = guarded({ connections: 3, connectionsPerAddress: 9 });
  const [first, second, third] = [open("10.0.0.1"), open("10.0.0.2"), open("10.0.0.3")];
  request(first)();
  const fourth = open("10.0.0.4");
  expect([first, second, third, fourth].map(({ isClosed }) => isClosed)).toEqual([false, true, false, false]);
});

test("sockets with a request or a stream are left alone; when there is no other a new one is closed", () => {
  const { open, request, upgrade } = guarded({ connections: 2, connectionsPerAddress: 9 });
  const [asking, streaming] = [open("10.0.0.1"), open("10.0.0.2")];
  const end = request(asking);
  upgrade(streaming);
  expect(open("10.0.0.3").isClosed).toBe(true);
  end();
  expect([open("10.0.0.3").isClosed, asking.isClosed, streaming.isClosed]).toEqual([false, true, false]);
});

test("an address has so many sockets: the one that has been idle longest gives way, none that is busy", () => {
  const { open, request } = guarded({ connections: 99, connectionsPerAddress: 2 });
  const [first, second] = [open("2001:db8::1"), open("2001:db8::2")];
  const end = request(first);
  const third = open("2001:db8::3");
  expect([first, second, third].map(({ isClosed }) => isClosed)).toEqual([false, true, false]);
  request(third);
  expect(open("2001:db8::4").isClosed).toBe(true);
  end();
  expect([open("2001:db8::4").isClosed, first.isClosed]).toEqual([false, true]);
});

test("this machine's own programs have no limit by address", () => {
  const { open } = guarded({ connections: 99, connectionsPerAddress: 2 });
  expect([1, 2, 3].map(() => open("::ffff:127.0.0.1").isClosed)).toEqual([false, false, false]);
});

test("a socket that is given back after an offer of an upgrade counts once, and is idle when its request has ended", () => {
  const { open, request, upgrade, giveBack } = guarded({ connections: 2, connectionsPerAddress: 2 });
  const socket = open("10.0.0.1");
  for (let count = 0; count < 5; count += 1) {
    upgrade(socket);
    giveBack(socket);
    request(socket)();
  }
  expect(socket.isClosed).toBe(false);
  // It counts once, so there is room for another; the third is one too many, and this one has been idle longest.
  expect([open("10.0.0.1").isClosed, socket.isClosed]).toEqual([false, false]);
  expect([open("10.0.0.1").isClosed, socket.isClosed]).toEqual([false, true]);
});
