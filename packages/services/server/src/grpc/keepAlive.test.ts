import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from "node:http2";
import { create, toBinary } from "@bufbuild/protobuf";
import { BlocksQuerySchema, ExploratoryDeployQuerySchema } from "@vedette/api/grpc";
import type { QueryReaders } from "@vedette/executor/threads";
import { insertLine, TestQueries } from "@vedette/queries/testing";
import { encodePar, GString, parOfExpr } from "@vedette/terms";
import { afterEach, expect, test } from "vitest";
import { FrameClient, frameType } from "../testing/FrameClient.js";
import { answerOf, beginCall, framed, GrpcTest } from "../testing/grpcTest.js";

const path = (method: string) => `/casper.v1.DeployService/${method}`;
const started: GrpcTest[] = [];

/** Explorations that end with one text when the test ends them. */
class HeldText implements QueryReaders {
  end: (text: string) => void = () => undefined;
  readonly #text = new Promise<string>((resolve) => (this.end = resolve));

  async call(): Promise<never> {
    const terms = [encodePar(parOfExpr(new GString(await this.#text)))];
    return { kind: "values", values: { form: "bytes", terms } } as never;
  }
}

/** A node with 200 blocks, and clients that may check a connection every five minutes. */
async function start(): Promise<{ readonly server: GrpcTest; readonly held: HeldText }> {
  const held = new HeldText();
  const node = TestQueries.over(held);
  insertLine(node.chain, 200);
  const server = await GrpcTest.start(node.queries());
  started.push(server);
  return { server, held };
}

/** A connection of a client with windows of the initial size of HTTP/2. */
async function smallWindows(server: GrpcTest): Promise<ClientHttp2Session> {
  const session = connect(`http://127.0.0.1:${server.ports.external}`, { settings: { initialWindowSize: 65_535 } });
  session.on("error", () => {});
  await new Promise((resolve) => session.once("connect", resolve));
  return session;
}

/** Measures the line as Go clients do: a ping after DATA, the next when it is answered. @returns how many went out */
function measure(session: ClientHttp2Session, streams: readonly ClientHttp2Stream[]): () => number {
  let isUnderWay = false;
  let count = 0;
  const dataCame = () => {
    if (isUnderWay || session.destroyed) return;
    isUnderWay = session.ping(() => (isUnderWay = false));
    count += 1;
  };
  for (const stream of streams) stream.on("data", dataCame);
  return () => count;
}

function goaways(session: ClientHttp2Session): { readonly received: readonly string[] } {
  const received: string[] = [];
  session.on("goaway", (code, _last, text) => received.push(`${code} ${text ?? ""}`));
  return { received };
}

const tooManyPings = `${constants.NGHTTP2_ENHANCE_YOUR_CALM} too_many_pings`;

async function ping(session: ClientHttp2Session): Promise<void> {
  if (!session.destroyed) await new Promise((resolve) => session.ping(resolve));
}

afterEach(async () => {
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
});

test("streams arrive whole at clients that measure the line after DATA, sixteen at once too", async () => {
  const { server } = await start();
  const session = await smallWindows(server);
  const { received } = goaways(session);
  const request = framed(toBinary(BlocksQuerySchema, create(BlocksQuerySchema, { depth: 50 })));
  for (const atOnce of [1, 1, 1, 16]) {
    const streams = Array.from({ length: atOnce }, () => beginCall(session, path("getBlocks")));
    const pings = measure(session, streams);
    const answers = streams.map(answerOf);
    for (const stream of streams) stream.end(request);
    for (const { status, messages } of await Promise.all(answers)) expect([status, messages.length]).toEqual([0, 50]);
    expect(pings()).toBeGreaterThan(3);
  }
  expect(received).toEqual([]);
  session.destroy();
});

test("so does one large answer, which is sent in many frames", async () => {
  const { server, held } = await start();
  held.end("x".repeat(4_000_000));
  const session = await smallWindows(server);
  const { received } = goaways(session);
  const stream = beginCall(session, path("exploratoryDeploy"));
  const pings = measure(session, [stream]);
  const answered = answerOf(stream);
  stream.end(framed(explore));
  const { status, messages } = await answered;
  expect([status, messages[0]!.length > 4_000_000]).toEqual([0, true]);
  expect(pings()).toBeGreaterThan(10);
  expect(received).toEqual([]);
  session.destroy();
});

test("a client that waits for an answer is sent away when it asks too often, and still gets the answer", async () => {
  const { server, held } = await start();
  const client = new FrameClient(server.ports.external);
  client.call(1, path("exploratoryDeploy"), framed(explore));
  for (let pings = 0; pings < 6; pings += 1) await client.ping();
  const goaway = client.frames.find(({ type }) => type === frameType.goaway)?.payload;
  // The last stream that is served, the error, the reason.
  expect(goaway).toEqual(Buffer.concat([Buffer.from([0, 0, 0, 1, 0, 0, 0, 11]), Buffer.from("too_many_pings")]));
  const text = "y".repeat(20_000);
  held.end(text);
  await client.closed;
  expect(client.data().includes(text)).toBe(true);
  const heads = client.frames.filter(({ type }) => type === frameType.headers);
  expect(heads.map(({ flags }) => (flags & 1) === 1)).toEqual([false, true]);
});

test("a client that has no call is sent away, however many it had", async () => {
  const { server } = await start();
  const session = await smallWindows(server);
  const { received } = goaways(session);
  for (let calls = 0; calls < 3; calls += 1) {
    const stream = beginCall(session, path("status"));
    const answered = answerOf(stream);
    stream.end(framed(new Uint8Array(0)));
    expect((await answered).status).toBe(0);
    for (let pings = 0; pings < 3; pings += 1) await ping(session);
    expect(received).toEqual([]);
  }
  const closed = new Promise<void>((resolve) => session.once("close", resolve));
  await ping(session);
  await closed;
  expect(received[0]).toBe(tooManyPings);
});

const explore = toBinary(ExploratoryDeployQuerySchema, create(ExploratoryDeployQuerySchema, { term: "Nil" }));
