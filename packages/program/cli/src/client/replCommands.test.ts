import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { BindPatternSchema, type ContinuationAtNameQuery, parMessage, parOfMessage } from "@vedette/api/grpc";
import { lightBlockFixture } from "@vedette/client/fakes";
import { TestQueries } from "@vedette/queries/testing";
import { compile } from "@vedette/rholang";
import type { Workbench } from "@vedette/server";
import { GrpcTest } from "@vedette/server/testing";
import { printPar } from "@vedette/terms";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { NodeCommand } from "./NodeCommand.js";
import { evalOnNode } from "./replAnswers.js";
import { runCommand, runOnFake } from "./testing/runCommand.js";

/** Answers with the received request. */
const echo = {
  run: async ({ source, unmatchedSendsOnly }: { source: string; unmatchedSendsOnly: boolean }) => ({
    output: `${unmatchedSendsOnly ? "sends of " : ""}${source}\u001b[2J`,
    printed: [],
  }),
} as unknown as Workbench;

const folder = mkdtempSync(join(tmpdir(), "vedette-repl-"));
let server: GrpcTest;
let place: string[];
beforeAll(async () => {
  server = await GrpcTest.start(TestQueries.empty().queries(), {}, { workbench: echo });
  place = ["-H", "127.0.0.1", "-p", String(server.ports.internal)];
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

test("repl runs line after line until :q, and lets no answer drive the terminal", async () => {
  const run = await runCommand(["repl", ...place], { input: "@1!(2)\n\n  \nNil\n:q\nnever" });
  expect(run).toEqual({ exitCode: 0, output: "@1!(2)?[2J\nNil?[2J\n", errors: "" });
  const json = await runCommand(["repl", "--json", ...place], { input: "1\n2" });
  expect(JSON.parse(json.output)).toEqual(["1\u001b[2J", "2\u001b[2J"]);
});

test("repl prints why no node answers, and exits with success", async () => {
  const { output, exitCode } = await runCommand(["repl", "-H", "127.0.0.1", "-p", "1"], { input: "Nil" });
  expect(output).toMatch(/^Error: no response from the node at 127\.0\.0\.1:1: .*ECONNREFUSED/);
  expect(exitCode).toBe(0);
  // The public port does not have this service.
  const onPublic = await runCommand(["repl", "-H", "127.0.0.1", "-p", String(server.ports.external)], { input: "Nil" });
  expect(onPublic.output).toMatch(/^Error: .*Method not found: repl\.Repl\/Run$/m);
});

test("eval on a node prints the results file by file", async () => {
  const file = join(folder, "a.rho");
  writeFileSync(file, "@1!(2)");
  const command = {
    client: undefined as unknown as NodeCommand["client"],
    host: { print: () => {} } as unknown as NodeCommand["host"],
    signal: new AbortController().signal,
    options: {
      host: "127.0.0.1",
      port: server.ports.internal,
      timeout: 3_600,
      grpcMaxRecvMessageSize: 1_000_000,
      printUnmatchedSendsOnly: true,
    },
  };
  const missing = join(folder, "gone.rho");
  const { text, exitCode } = await evalOnNode(command, [file, missing]);
  const [first, ...rest] = text.split("\n");
  expect(first).toBe(`Evaluating from ${file}, ${missing}`);
  expect(rest.slice(0, 5)).toEqual([
    "",
    `Result for ${file}:`,
    "sends of @1!(2)\u001b[2J",
    "",
    `Result for ${missing}:`,
  ]);
  expect(rest[5]).toMatch(/^Error: Error with given file: /);
  expect(exitCode).toBe(1);
});

test("continuations-at-name shows the receives that wait", async () => {
  const asked: ContinuationAtNameQuery[] = [];
  const pattern = create(BindPatternSchema, { patterns: [parMessage(compile("1"))] });
  const services = {
    deploys: {
      listenForContinuationAtName: (query: ContinuationAtNameQuery) => {
        asked.push(query);
        return {
          message: {
            case: "payload" as const,
            value: {
              blockResults: [
                {
                  postBlockContinuations: [
                    { postBlockPatterns: [pattern], postBlockContinuation: parMessage(compile("@2!(3)")) },
                  ],
                  block: lightBlockFixture({ blockNumber: 17n }),
                },
              ],
              length: 1,
            },
          },
        };
      },
    },
  };
  const shown = await runOnFake(services, ["continuations-at-name", "--name", '"a"', "--name", "7", "--depth", "5"]);
  expect(shown.errors).toBe("");
  expect(shown.output).toBe("#17\nfor (1) {\n@{2}!(3)\n}\n");
  expect(asked[0]!.names.map((name) => printPar(parOfMessage(name)))).toEqual(['"a"', "7"]);
  expect(asked[0]!.depth).toBe(5);
  const quiet = await runOnFake(services, ["listen-cont-at-name", "-t", "priv", "-c", "ab".repeat(32), "--json"]);
  expect(JSON.parse(quiet.output)).toHaveLength(1);
  const nameless = await runOnFake(services, ["continuations-at-name"]);
  expect([nameless.exitCode, nameless.errors]).toEqual([1, "vedette: Give a name: --name or --unforgeable\n"]);
});

test("continuations-at-name prints the node's refusal", async () => {
  const refusing = {
    deploys: {
      listenForContinuationAtName: () => ({
        message: { case: "error" as const, value: { messages: ["Your request exceeds the max limit 50"] } },
      }),
    },
  };
  const { exitCode, errors } = await runOnFake(refusing, ["continuations-at-name", "--name", "1"]);
  expect([exitCode, errors]).toEqual([1, "vedette: Your request exceeds the max limit 50\n"]);
});
