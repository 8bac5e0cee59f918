import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { DeployService } from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { sharedDirectory } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerOf, beginCall, framed, GrpcTest } from "../testing/grpcTest.js";
import { TestQueries } from "../testing/TestQueries.js";

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
describe.skipIf(shared === undefined)(`recorded gRPC answers${note}`, () => {
  let recorded: TestQueries;
  let server: GrpcTest;

  beforeAll(async () => {
    recorded = await TestQueries.recorded("solo");
    server = await GrpcTest.start(recorded.queries({ publicKey: fromHex(validatorKey), isInDevMode: true }));
  }, 300_000);

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await recorded?.[Symbol.asyncDispose]();
  });

  for (const call of shared === undefined ? [] : recordedCalls(shared)) {
    test(`${call.id} ${call.method} ${JSON.stringify(call.request)?.slice(0, 100)}`, async () => {
      // The bytes as they are on the wire, so that nothing is read into them.
      const session = server.connect(call.port);
      const stream = beginCall(session, `/${call.service}/${call.method}`);
      const answered = answerOf(stream);
      stream.end(framed(fromHex(call.requestBytes)));
      const answer = await answered;
      session.close();
      expect([answer.status, answer.text]).toEqual([call.status.code, call.status.details]);
      const messages = answer.messages.map(toHex);
      const expected = call.responses ?? [];
      if (call.method === "visualizeDag") {
        // Quirk 50 §3.6: the edges stand in the order of a hash map.
        expect(textOf(messages).sort()).toEqual(textOf(expected).sort());
        return;
      }
      expect(messages.map((bytes) => shown(call, bytes))).toEqual(expected.map((bytes) => shown(call, bytes)));
      expect(messages).toEqual(expected);
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
