import http2 from "node:http2";
import net from "node:net";
import tls from "node:tls";
import { create, toBinary } from "@bufbuild/protobuf";
import { ChunkSchema } from "@vedette/protocol";
import { until } from "@vedette/testing";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { callGrpc } from "../grpc/callGrpc.js";
import { GrpcError } from "../grpc/GrpcError.js";
import { frameMessage } from "../grpc/MessageReader.js";
import { NetworkError } from "../NetworkError.js";
import type { Peer } from "../Peer.js";
import { type TestIdentity, testIdentity } from "../testing/testIdentity.js";
import { TestNode } from "../testing/testNetwork.js";
import { decodeAnswer, encodeRequest, nodeOfPeer } from "./peerMessage.js";

const send = "/routing.TransportLayer/Send";
const stream = "/routing.TransportLayer/Stream";
const everMs = 3_600_000;

afterEach(() => void vi.useRealTimers());

/** A client that has a good certificate and bad manners. */
class HostilePeer implements Disposable {
  readonly session: http2.ClientHttp2Session;
  readonly peer: Peer;

  constructor(
    readonly target: Peer,
    identity: TestIdentity = testIdentity(),
  ) {
    this.peer = { id: identity.id, host: "127.0.0.1", protocolPort: 1, discoveryPort: 1 };
    this.session = http2.connect(`https://${target.id}`, {
      createConnection: () =>
        tls.connect({
          ...{ host: target.host, port: target.protocolPort, servername: target.id },
          ...{ cert: identity.certificate, key: identity.privateKey },
          ALPNProtocols: ["h2"],
          rejectUnauthorized: false,
        }),
    });
    this.session.on("error", () => {});
  }

  async call(path: string, messages: Iterable<Uint8Array>, deadlineMs = everMs): Promise<Uint8Array> {
    const { id: authority } = this.target;
    return callGrpc(this.session, { path, scheme: "https", authority, messages, deadlineMs, maxAnswerBytes: 10_000 });
  }

  async status(path: string, messages: Iterable<Uint8Array>): Promise<string> {
    const outcome = await this.call(path, messages).catch((error: unknown) => error);
    if (outcome instanceof GrpcError) return `${outcome.status} ${outcome.description}`;
    const answer = decodeAnswer(outcome as Uint8Array);
    return answer.type === "internalServerError" ? answer.text : answer.type;
  }

  header(fields: { contentLength: number; compressed?: boolean; typeId?: string; networkId?: string }): Uint8Array {
    const value = { sender: nodeOfPeer(this.peer), typeId: "BlockMessage", networkId: "test", ...fields };
    return toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "header", value } }));
  }

  data(contentData: Uint8Array): Uint8Array {
    return toBinary(ChunkSchema, create(ChunkSchema, { content: { case: "data", value: { contentData } } }));
  }

  /** A good message, to see that the node still lives. */
  async isServed(): Promise<boolean> {
    const content = Uint8Array.of(1);
    const message = encodeRequest(this.peer, "test", { type: "packet", typeId: "BlockRequest", content });
    return (await this.status(send, [message])) === "ack";
  }

  [Symbol.dispose](): void {
    this.session.destroy();
  }
}

describe("a hostile peer", () => {
  test("gets a status for every malformed Send", async () => {
    await using node = await new TestNode().start();
    using peer = new HostilePeer(node.peer);
    expect(await peer.status(send, [])).toBe("13 Half-closed without a request");
    expect(await peer.status(send, [Uint8Array.of(255, 255)])).toBe("13 Invalid protobuf byte sequence");
    expect(await peer.status(send, [new Uint8Array(0)])).toBe(
      "7 Wrong network id '<empty>'. This node runs on network 'test'",
    );
    const good = encodeRequest(peer.peer, "test", { type: "heartbeat" });
    expect(await peer.status(send, [good, good])).toBe("13 Too many requests");
    // The last two bytes are the heartbeat: without it the message is empty.
    const silent = good.slice(0, -2);
    silent[1] = (silent[1] as number) - 2;
    expect(await peer.status(send, [silent])).toBe("3 Malformed message");
    expect(await peer.status("/routing.TransportLayer/Other", [good])).toMatch(/^12 /);
    expect(await peer.status(send, [new Uint8Array(300_000)])).toBe(
      "8 gRPC message exceeds maximum size 262144: 300000",
    );
    expect(await peer.isServed()).toBe(true);
  });

  test("gets a refusal for every malformed Stream", async () => {
    await using node = await new TestNode().start();
    using peer = new HostilePeer(node.peer);
    const notFull = "Received not full stream message, will not process.";
    const one = peer.data(Uint8Array.of(1));
    const bomb = { contentLength: 200_000_000, compressed: true };
    const cases: readonly (readonly [string, readonly Uint8Array[], string])[] = [
      ["nothing", [], notFull],
      ["an empty chunk", [new Uint8Array(0)], notFull],
      ["no protobuf", [Uint8Array.of(255)], notFull],
      ["data before the header", [one, peer.header({ contentLength: 1 })], notFull],
      ["two headers", [peer.header({ contentLength: 1 }), peer.header({ contentLength: 1 }), one], notFull],
      ["too little data", [peer.header({ contentLength: 2 }), one], notFull],
      ["too much data", [peer.header({ contentLength: 1 }), one, one], notFull],
      ["a negative length", [peer.header({ contentLength: -1 }), one], notFull],
      ["a length over the limit", [peer.header({ contentLength: 0x7fff_ffff }), one], "Max message size was reached."],
      ["a bomb", [peer.header(bomb), one], "Max message size was reached."],
    ];
    for (const [name, messages, refusal] of cases)
      expect([name, await peer.status(stream, messages)]).toEqual([name, refusal]);
    const smaller = [peer.header({ contentLength: 20_000_000, compressed: true }), one];
    expect(await peer.status(stream, smaller)).toContain("cannot hold 20000000 bytes");
    expect(await peer.isServed()).toBe(true);
    expect(node.packets.map(({ typeId }) => typeId)).toEqual(["BlockRequest"]);
  });

  test("cannot break a node with mutated messages", async () => {
    await using node = await new TestNode().start();
    using peer = new HostilePeer(node.peer);
    const content = Uint8Array.of(10, 1, 1);
    const whole = encodeRequest(peer.peer, "test", { type: "packet", typeId: "HasBlock", content });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (index, value, cut) => {
        const mutated = cut ? whole.slice(0, index) : whole.slice();
        if (!cut) mutated[index] = value;
        await peer.status(send, [mutated]);
        await peer.status(stream, [mutated, whole]);
      }),
      { numRuns: 60 },
    );
    expect(await peer.isServed()).toBe(true);
  });

  test("that pauses in the middle of a stream is cut off, and its memory is given back", async () => {
    await using node = await new TestNode({ inbound: { streamIdleMs: 100 } }).start();
    using peer = new HostilePeer(node.peer);
    const headers = { ":method": "POST", ":path": stream, "content-type": "application/grpc", te: "trailers" };
    const call = peer.session.request(headers);
    call.on("error", () => {});
    const closed = new Promise((resolve) => call.once("close", resolve));
    call.write(frameMessage(peer.header({ contentLength: 1_000_000 })));
    call.write(frameMessage(peer.data(new Uint8Array(200_000))));
    await closed;
    expect(call.rstCode).toBe(http2.constants.NGHTTP2_CANCEL);
    expect(await peer.isServed()).toBe(true);
  });

  test("that opens more streams than may be received at once has the rest refused", async () => {
    await using node = await new TestNode({ inbound: { streamQueueLength: 2, streamIdleMs: everMs } }).start();
    using peer = new HostilePeer(node.peer);
    const headers = { ":method": "POST", ":path": stream, "content-type": "application/grpc", te: "trailers" };
    for (let index = 0; index < 2; index++) {
      const call = peer.session.request(headers);
      call.on("error", () => {});
      call.write(frameMessage(peer.header({ contentLength: 1000 })));
    }
    expect(await peer.status(stream, [peer.header({ contentLength: 1 })])).toBe(
      "Stream chunk dropped, too many streams at once.",
    );
  });

  test("that floods the node with connections closes its own", async () => {
    await using node = await new TestNode({ server: { maxSessionsPerAddress: 5, maxSessions: 10 } }).start();
    const peers: HostilePeer[] = [];
    for (let index = 0; index < 20; index++) {
      const peer = new HostilePeer(node.peer);
      peers.push(peer);
      await new Promise((resolve) => peer.session.once("connect", resolve));
    }
    using last = new HostilePeer(node.peer);
    expect(await last.isServed()).toBe(true);
    expect(peers.filter(({ session }) => !session.destroyed && !session.closed).length).toBeLessThanOrEqual(5);
    for (const peer of peers) peer[Symbol.dispose]();
  });
});

describe("a stranger that is no peer", () => {
  test("without a certificate is refused", async () => {
    await using node = await new TestNode().start();
    const { host, protocolPort: port } = node.peer;
    const socket = tls.connect({ host, port, ALPNProtocols: ["h2"], rejectUnauthorized: false });
    socket.on("error", () => {}).resume();
    await new Promise((resolve) => socket.once("close", resolve));
    await node.until(() => node.events.some(({ type }) => type === "callRefused"));
    expect(node.events.at(-1)).toMatchObject({ method: "TLS", reason: "Peer presented no certificate" });
  });

  test("that speaks no TLS is closed", async () => {
    await using node = await new TestNode().start();
    const socket = net.connect(node.peer.protocolPort, node.peer.host);
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    using peer = new HostilePeer(node.peer);
    expect(await peer.isServed()).toBe(true);
  });

  test("that never finishes its handshake is closed", async () => {
    await using node = await new TestNode({ server: { handshakeMs: 100 } }).start();
    const socket = net.connect(node.peer.protocolPort, node.peer.host);
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
  });

  test("that speaks HTTP/1 over TLS is closed", async () => {
    await using node = await new TestNode().start();
    const identity = testIdentity();
    const socket = tls.connect({
      ...{ host: node.peer.host, port: node.peer.protocolPort, rejectUnauthorized: false },
      ...{ cert: identity.certificate, key: identity.privateKey, ALPNProtocols: ["http/1.1"] },
    });
    socket.on("error", () => {});
    await new Promise((resolve) => socket.once("close", resolve));
  });
});

/** A server with a good certificate that does with a call whatever a test wants. */
class HostileServer implements AsyncDisposable {
  readonly identity = testIdentity();
  readonly server: http2.Http2SecureServer;

  constructor(serve: (stream: http2.ServerHttp2Stream) => void) {
    const { certificate: cert, privateKey: key } = this.identity;
    this.server = http2.createSecureServer({ cert, key, requestCert: true, rejectUnauthorized: false });
    this.server.on("stream", (call) => {
      call.on("error", () => {});
      serve(call);
    });
    this.server.on("session", (session) => session.on("error", () => {}));
  }

  async listen(): Promise<Peer> {
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    const { port } = this.server.address() as net.AddressInfo;
    return { id: this.identity.id, host: "127.0.0.1", protocolPort: port, discoveryPort: port };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe("a server that misbehaves", () => {
  const servers: readonly (readonly [string, (call: http2.ServerHttp2Stream) => void, string])[] = [
    ["never answers", () => {}, "timeout"],
    ["resets the call", (call) => call.close(http2.constants.NGHTTP2_REFUSED_STREAM), "unavailable"],
    ["ends the connection", (call) => call.session?.destroy(), "unavailable"],
    ["answers plain HTTP", (call) => call.respond({ ":status": 404 }, { endStream: true }), "protocol"],
    [
      "answers nothing",
      (call) => call.respond({ ":status": 200, "grpc-status": "0" }, { endStream: true }),
      "protocol",
    ],
    ["floods", flood, "tooLarge"],
  ];
  test.for(servers)("%s: the call fails with a clear error", async ([, serve, code]) => {
    const sendDeadlineMs = code === "timeout" ? 200 : everMs;
    await using server = new HostileServer(serve);
    const peer = await server.listen();
    await using node = await new TestNode({ outbound: { sendDeadlineMs } }).start();
    const failure = await node.network.send(peer, "HasBlock", Uint8Array.of(1)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NetworkError);
    expect((failure as NetworkError).failure.code).toBe(code);
  });

  test("never reads a stream: it is given up at its deadline", async () => {
    let isCalled = false;
    await using server = new HostileServer((call) => {
      call.pause();
      isCalled = true;
    });
    const peer = await server.listen();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await using node = await new TestNode().start();
    node.network.stream(peer, "BlockMessage", () => new Uint8Array(500_000));
    await until("the stream to begin", () => isCalled);
    vi.advanceTimersByTime(2 * everMs);
    await node.until(() => node.events.some(({ type }) => type === "streamFailed"));
    expect(node.events.at(-1)).toMatchObject({ type: "streamFailed", reason: "Timeout" });
  });

  test("is away: the attempt ends in time", async () => {
    const silent = net.createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as net.AddressInfo;
    await using node = await new TestNode({ outbound: { connectMs: 100 } }).start();
    const peer = { id: "ab".repeat(20), host: "127.0.0.1", protocolPort: port, discoveryPort: port };
    await expect(node.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow("currently unavailable");
    await expect(node.network.send(peer, "HasBlock", Uint8Array.of(1))).rejects.toThrow("currently unavailable");
    silent.close();
  });
});

function flood(call: http2.ServerHttp2Stream): void {
  call.respond({ ":status": 200, "content-type": "application/grpc" });
  call.write(Uint8Array.of(0, 0x7f, 0xff, 0xff, 0xff));
}
