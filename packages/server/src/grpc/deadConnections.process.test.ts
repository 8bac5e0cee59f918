import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import {
  attackers,
  brokenHttp2,
  bystander,
  Flood,
  http2Beginning,
  http2Frame,
  silentHttp2,
  Timed,
  untilClosed,
} from "@vedette/testing";
import { afterEach, describe, expect, test } from "vitest";
import { answerOf, beginCall, framed, GrpcTest } from "../testing/grpcTest.js";

const node = TestQueries.empty();
insertBlocks(node.chain);
const statusPath = "/casper.v1.DeployService/status";
const ports = ["external", "internal"] as const;
const nothing = { idle: 0, busy: 0, dying: 0 };
const started: GrpcTest[] = [];

async function start(limits: Parameters<typeof GrpcTest.start>[1] = {}): Promise<GrpcTest> {
  const server = await GrpcTest.start(node.queries(), limits);
  started.push(server);
  // The first call of a process takes longer than others.
  for (const name of ports) await serve(server.ports[name]);
  return server;
}

afterEach(async () => {
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
});

/** Opens a connection from an address, and asks for the status over it. @throws Error when it is not served */
async function serve(port: number, localAddress = bystander): Promise<void> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, {
    createConnection: () => connect({ port, host: "127.0.0.1", localAddress }),
  });
  session.on("error", () => {});
  const stream = beginCall(session, statusPath);
  const answered = answerOf(stream);
  stream.end(framed(new Uint8Array(0)));
  const { status } = await answered;
  session.destroy();
  if (status !== 0) throw new Error(`the call ended with status ${status}`);
}

/** Waits until a server has no connections. @returns after how long */
async function untilNothing(server: GrpcTest, port: (typeof ports)[number]): Promise<number> {
  const beganMs = performance.now();
  while (Object.values(server[port].connections).some((count) => count > 0)) await sleep(20);
  return performance.now() - beganMs;
}

describe.each(ports)("on the %s port", (name) => {
  test("connections that are broken keep nobody out, and are gone within seconds", { timeout: 180_000 }, async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    const others = new Timed(() => serve(port));
    let most = 0;
    for (const bytes of Object.values(brokenHttp2)) {
      const sockets = await flood.addEach(128, bytes, others.once);
      most = Math.max(most, server[name].connections.idle);
      // Half of them go away, the others stay and say nothing more.
      for (const socket of sockets.slice(0, 256)) socket.destroy();
    }
    await others.during(500);
    const endedMs = await untilNothing(server, name);
    console.log(
      `${name}: another address was served ${others.text}; ` +
        `at most ${most} broken connections at once, the last was gone after ${endedMs.toFixed(0)} ms`,
    );
    expect(most).toBeGreaterThan(200);
    expect(others.isAtOnce).toBe(true);
    expect(endedMs).toBeLessThan(15_000);
    expect(server[name].connections).toEqual(nothing);
    await sleep(50);
    expect(flood.open).toBe(0);
    await untilClosed(port);
  });

  test("so are those that begin and never go on", { timeout: 180_000 }, async () => {
    const server = await start({ keepAliveMs: 2_000, keepAliveTimeoutMs: 2_000 });
    const port = server.ports[name];
    using flood = new Flood(port);
    const others = new Timed(() => serve(port));
    for (const bytes of Object.values(silentHttp2)) await flood.addEach(25, bytes, others.once);
    // A head that comes byte by byte is not a call yet.
    const slow = await flood.addEach(1, http2Beginning, others.once);
    const head = http2Frame(1, 4, 1, new Uint8Array(1_000));
    let sent = 0;
    const dripping = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write(head.subarray(sent, sent + 1));
      sent += 1;
    }, 100);
    const endedMs = await untilNothing(server, name);
    clearInterval(dripping);
    console.log(
      `${name}: another address was served ${others.text}; ` +
        `the last silent connection was gone after ${endedMs.toFixed(0)} ms`,
    );
    expect(others.isAtOnce).toBe(true);
    expect(endedMs).toBeLessThan(20_000);
    expect(server[name].connections).toEqual(nothing);
    await untilClosed(port);
  });

  test("an address that is full of idle connections can open others", async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    await flood.addEach(128, http2Beginning, async () => {}, attackers.slice(0, 1));
    for (let calls = 0; calls < 10; calls += 1) await serve(port, attackers[0]);
    expect(server[name].connections.busy).toBe(0);
  });

  test("four addresses with calls that never end leave places to another one", { timeout: 60_000 }, async () => {
    const server = await start();
    const port = server.ports[name];
    using flood = new Flood(port);
    const others = new Timed(() => serve(port));
    await flood.addEach(128, Buffer.concat([http2Beginning, http2Frame(1, 4, 1, headOfCall)]), others.once);
    // 64 of 512 places are not for those who have many; all these addresses are this machine's own.
    expect(server[name].connections.busy).toBe(448);
    await others.during(500);
    console.log(`${name}: another address was served ${others.text}`);
    expect(others.isAtOnce).toBe(true);
    expect(server[name].connections.busy).toBe(448);
  });

  test("a connection that breaks with a call under way loses the call, too", async () => {
    const server = await start({ keepAliveTimeoutMs: 300 });
    const port = server.ports[name];
    using flood = new Flood(port);
    const call = Buffer.concat([http2Beginning, http2Frame(1, 4, 1, headOfCall)]);
    for (const bytes of Object.values(brokenHttp2)) {
      const broken = bytes.subarray(http2Beginning.length);
      const kept = await flood.add(attackers[0]!, call);
      const gone = await flood.add(attackers[0]!, call);
      while (server[name].connections.busy < 2) await sleep(5);
      expect(server[name].calls).toBe(2);
      kept.write(broken);
      gone.end(broken);
      await untilNothing(server, name);
    }
    expect(server[name].calls).toBe(0);
    await untilClosed(port);
  });

  test("a client without calls that answers stays connected", async () => {
    const server = await start({ keepAliveMs: 20, keepAliveTimeoutMs: 400 });
    const sessions = Array.from({ length: 20 }, () => server.connect(name));
    let pings = 0;
    for (const session of sessions) session.on("ping", () => (pings += 1));
    while (server[name].connections.idle < sessions.length) await sleep(5);
    while (pings < 20 * 20) await sleep(20);
    expect(server[name].connections).toEqual({ idle: 20, busy: 0, dying: 0 });
    for (const session of sessions) {
      const stream = beginCall(session, statusPath);
      const answered = answerOf(stream);
      stream.end(framed(new Uint8Array(0)));
      expect((await answered).status).toBe(0);
      session.destroy();
    }
  });
});

test("browsers' connections that never say a whole request keep nobody out", { timeout: 60_000 }, async () => {
  const server = await start({ stallMs: 5_000, firstBytesMs: 5_000 });
  const port = server.ports.external;
  using flood = new Flood(port);
  const others = new Timed(() => serve(port));
  for (const text of ["", "PR", "POST / HTTP/1.1\r\nHost: x\r\nx: "]) await flood.addEach(128, text, others.once);
  const endedMs = await untilNothing(server, "external");
  console.log(`another address was served ${others.text}; all were gone after ${endedMs.toFixed(0)} ms`);
  expect(others.isAtOnce).toBe(true);
  await untilClosed(port);
});

/** Headers of a call whose message never comes, written out. */
const headOfCall = Buffer.concat(
  Object.entries({
    ":method": "POST",
    ":scheme": "http",
    ":authority": "node",
    ":path": "/casper.v1.DeployService/doDeploy",
    te: "trailers",
    "content-type": "application/grpc",
  }).map(([name, value]) =>
    Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)]),
  ),
);
