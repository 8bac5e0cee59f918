import { secp256k1PublicKeyOf } from "@vedette/crypto";
import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { until } from "@vedette/testing";
import { expect, vi } from "vitest";
import { answerOf, beginCall, framed, GrpcTest, type RawAnswer } from "./grpcTest.js";

export const path = (method: string) => `/casper.v1.DeployService/${method}`;
export const statusCall = (session: ReturnType<GrpcTest["connect"]>): Promise<RawAnswer> => {
  const stream = beginCall(session, path("status"));
  const answered = answerOf(stream);
  stream.end(framed(new Uint8Array(0)));
  return answered;
};
export const call = async (server: GrpcTest, method: string, request: Uint8Array): Promise<RawAnswer> => {
  const session = server.connect();
  const stream = beginCall(session, path(method));
  const answered = answerOf(stream);
  stream.end(request);
  const answer = await answered;
  session.destroy();
  return answer;
};

const node = TestQueries.empty();
insertBlocks(node.chain);
export const privateKey = new Uint8Array(32).fill(1);
export const publicKey = secp256k1PublicKeyOf(privateKey);
const started: GrpcTest[] = [];

export async function start(limits: Parameters<typeof GrpcTest.start>[1] = {}): Promise<GrpcTest> {
  const server = await GrpcTest.start(node.queries({ publicKey }), limits);
  started.push(server);
  return server;
}

export function connectionsOf({ external }: GrpcTest): number {
  const { idle, busy, terminating } = external.connections;
  return idle + busy + terminating;
}

/** Whatever came before, a good client is served as ever, and nothing is held. */
export async function expectHealthy(server: GrpcTest): Promise<void> {
  expect((await server.deploys().status({})).message.case).toBe("status");
  expect(server.failures).toEqual([]);
}

/** The same on a server with a time limit that a busy machine may exhaust: an answer comes in the end. */
export async function expectServes(server: GrpcTest): Promise<void> {
  const served = () =>
    server
      .deploys()
      .status({})
      .then(
        ({ message }) => message.case === "status",
        () => false,
      );
  await until("a good client to be served", served);
  expect(server.failures).toEqual([]);
}

/** From now on the time of servers that begin passes by {@link passUntil} alone. */
export function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
}

/** Lets time pass until something holds. */
export async function passUntil(what: string, holds: () => boolean): Promise<void> {
  await until(what, () => {
    if (holds()) return true;
    vi.advanceTimersByTime(1_000);
    return false;
  });
}

export async function untilCalls(server: GrpcTest, count: number): Promise<void> {
  const state = () => `${server.external.calls} are`;
  await until(`${count} calls to be under way`, () => server.external.calls === count, { state });
}

export async function untilNoConnection(server: GrpcTest): Promise<void> {
  const state = () => JSON.stringify(server.external.connections);
  await until("the server to have no connection", () => connectionsOf(server) === 0, { state });
}

/** Ends the servers that a test started. */
export async function endStarted(): Promise<void> {
  vi.useRealTimers();
  for (const server of started.splice(0)) await server[Symbol.asyncDispose]();
}
