import { readFileSync } from "node:fs";
import type { ClientHttp2Session } from "node:http2";
import { join } from "node:path";
import { type DescMessage, fromBinary, toJson } from "@bufbuild/protobuf";
import { DeployService } from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { recordedDirectory } from "@vedette/testing";
import { expect } from "vitest";
import { answerOf, beginCall, framed } from "./grpcTest.js";

/** A call and what rnode answered. */
export interface RecordedCall {
  readonly id: string;
  readonly port: "external" | "internal";
  readonly service: string;
  readonly method: string;
  readonly request: unknown;
  readonly requestBytes: string;
  readonly status: { readonly code: number; readonly details: string };
  readonly responses?: readonly string[];
}

/** All calls that were recorded on the chain `solo`. @throws Error when the recordings are not there */
export function recordedCalls(): RecordedCall[] {
  return readFileSync(join(recordedDirectory("api"), "solo-grpc.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Returns the name of a call in a list of tests. */
export function titleOfCall({ id, method, request }: RecordedCall): string {
  return `${id} ${method} ${JSON.stringify(request)?.slice(0, 100)}`;
}

/** Makes a recorded call anew. @throws when status or messages differ */
export async function expectRecordedCall(call: RecordedCall, session: ClientHttp2Session): Promise<void> {
  // The bytes as they are on the wire, so that nothing is read into them.
  const stream = beginCall(session, `/${call.service}/${call.method}`);
  const answered = answerOf(stream);
  stream.end(framed(fromHex(call.requestBytes)));
  const answer = await answered;
  expect([answer.status, answer.text]).toEqual([call.status.code, call.status.details]);
  const messages = answer.messages.map(toHex);
  const expected = call.responses ?? [];
  if (call.method === "visualizeDag") {
    // Quirk 50 §3.6: the edges are in the order of a hash map.
    expect(textOf(messages).sort()).toEqual(textOf(expected).sort());
    return;
  }
  expect(messages.map((bytes) => shown(call, bytes))).toEqual(expected.map((bytes) => shown(call, bytes)));
  expect(messages).toEqual(expected);
}

function shown(call: RecordedCall, bytes: string): unknown {
  const method = DeployService.methods.find(({ name }) => name === call.method);
  return method === undefined ? bytes : toJson(method.output as DescMessage, fromBinary(method.output, fromHex(bytes)));
}

function textOf(messages: readonly string[]): string[] {
  return messages.map((bytes) => Buffer.from(bytes, "hex").toString().slice(2));
}
