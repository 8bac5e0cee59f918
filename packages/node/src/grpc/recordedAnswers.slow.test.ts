import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { DeployService } from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { sharedDirectory } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RecordedQueries } from "../testing/RecordedQueries.js";
import type { GrpcServer } from "./GrpcServer.js";
import { externalGrpcServer, internalGrpcServer } from "./grpcServers.js";
import { ownLimits } from "./limits.js";

interface RecordedCall {
  readonly id: string;
  readonly port: "external" | "internal";
  readonly service: string;
  readonly method: string;
  readonly request: unknown;
  readonly requestBytes: string;
  readonly status: { readonly code: number; readonly details: string };
  readonly responses?: readonly string[];
}

const shared = sharedDirectory();
const note = shared === undefined ? " (skipped: ../shared is not there)" : "";
const validatorKey =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";
const limits = {
  ...ownLimits,
  maxMessageBytes: 16_777_216,
  keepAliveMs: 7_200_000,
  keepAliveTimeoutMs: 20_000,
  permitKeepAliveMs: 300_000,
  maxIdleMs: 3_600_000,
  maxAgeMs: 3_600_000,
  ageGraceMs: 3_600_000,
};

describe.skipIf(shared === undefined)(`recorded gRPC answers${note}`, () => {
  let recorded: RecordedQueries;
  const servers: GrpcServer[] = [];
  const ports = { external: 0, internal: 0 };

  beforeAll(async () => {
    recorded = await RecordedQueries.open("solo");
    const queries = recorded.queries(fromHex(validatorKey));
    const onFailure = (service: string, error: unknown) => console.error(service, error);
    const options = { queries, limits, onFailure, nowMs: () => performance.now() };
    servers.push(externalGrpcServer(options), internalGrpcServer(options));
    ports.external = await servers[0]!.listen(0, "127.0.0.1");
    ports.internal = await servers[1]!.listen(0, "127.0.0.1");
  }, 300_000);

  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await recorded?.[Symbol.asyncDispose]();
  });

  for (const call of shared === undefined ? [] : recordedCalls(shared)) {
    test(`${call.id} ${call.method} ${JSON.stringify(call.request)?.slice(0, 100)}`, async () => {
      const answer = await rawCall(ports[call.port], call);
      expect([answer.code, answer.details]).toEqual([call.status.code, call.status.details]);
      const expected = call.responses ?? [];
      if (call.method === "visualizeDag")
        // Quirk 50 §3.6: the edges stand in the order of a hash map.
        expect(textOf(answer.messages).sort()).toEqual(textOf(expected).sort());
      else
        expect(answer.messages.map((bytes) => shown(call, bytes))).toEqual(expected.map((bytes) => shown(call, bytes)));
      if (call.method !== "visualizeDag") expect(answer.messages).toEqual(expected);
    });
  }
});

function recordedCalls(directory: string): RecordedCall[] {
  return readFileSync(join(directory, "api", "solo-grpc.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function shown(call: RecordedCall, bytes: string): unknown {
  const method = DeployService.methods.find(({ name }) => name === call.method);
  return method === undefined ? bytes : toJson(method.output as DescMessage, fromBinary(method.output, fromHex(bytes)));
}

function textOf(messages: readonly string[]): string[] {
  return messages.map((bytes) => Buffer.from(bytes, "hex").toString().slice(2));
}

/** A call as it is on the wire, so that nothing is read into the bytes. */
function rawCall(port: number, { service, method, requestBytes }: RecordedCall) {
  return new Promise<{ code: number; details: string; messages: string[] }>((resolve, reject) => {
    const session = connect(`http://127.0.0.1:${port}`);
    session.once("error", reject);
    const headers = { ":method": "POST", ":path": `/${service}/${method}`, te: "trailers" };
    const stream = session.request({ ...headers, "content-type": "application/grpc" });
    const pieces: Buffer[] = [];
    let status: Record<string, unknown> = {};
    stream.once("error", reject);
    stream.on("response", (response) => (status = { ...status, ...response }));
    stream.on("trailers", (trailers) => (status = { ...status, ...trailers }));
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.once("close", () => {
      session.close();
      resolve({
        code: Number(status["grpc-status"]),
        details: decodeURIComponent(String(status["grpc-message"] ?? "")),
        messages: messagesOf(Buffer.concat(pieces)),
      });
    });
    const request = fromHex(requestBytes);
    const frame = Buffer.alloc(5 + request.length);
    frame.writeUInt32BE(request.length, 1);
    frame.set(request, 5);
    stream.end(frame);
  });
}

function messagesOf(bytes: Buffer): string[] {
  const messages: string[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const length = bytes.readUInt32BE(offset + 1);
    messages.push(toHex(bytes.subarray(offset + 5, offset + 5 + length)));
    offset += 5 + length;
  }
  return messages;
}
