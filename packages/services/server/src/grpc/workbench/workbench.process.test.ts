import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { DiagnosticSeverity, Lsp, Repl } from "@vedette/api/grpc";
import { patienceMs, until } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const compiled = fileURLToPath(new URL("../../../dist/testing/workbenchServer.js", import.meta.url));

/** Has little time for a program: it is for those that have no end. */
let node: WorkbenchProcess;
/** Has time for programs that end, on any machine. */
let patientNode: WorkbenchProcess;
beforeAll(async () => {
  [node, patientNode] = await Promise.all([startNode(3_000), startNode(patienceMs())]);
});
afterAll(async () => {
  for (const one of [node, patientNode]) {
    const ended = once(one.process, "exit");
    one.process.stdin!.end();
    expect(await ended).toEqual([0, null]);
  }
});

interface WorkbenchProcess {
  readonly process: ChildProcess;
  readonly port: number;
}

async function startNode(timeoutMs: number): Promise<WorkbenchProcess> {
  const started = spawn(process.execPath, [compiled, String(timeoutMs)], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(started.stdout!, "data")) as [Buffer];
  return { process: started, port: JSON.parse(line.toString()).internal };
}

const transport = ({ port }: WorkbenchProcess) => createGrpcTransport({ baseUrl: `http://127.0.0.1:${port}` });
const repl = (one = node) => createClient(Repl, transport(one));

describe("the loop", () => {
  test("remembers what was left on its space", async () => {
    await repl(patientNode).run({ line: '@"a"!(1)' });
    const { output } = await repl(patientNode).eval({
      program: 'for (@x <- @"a") { @"b"!(x + 1) }',
      printUnmatchedSendsOnly: true,
    });
    expect(output).toMatch(/^Deployment cost: Cost\(\d+,\)\nStorage Contents:\n@\{"b"\}!\(2\)$/);
  });

  test("returns what a program prints, and why it cannot be compiled", async () => {
    const { output } = await repl(patientNode).run({ line: 'new out(`rho:io:stdout`) in { out!("here") }' });
    expect(output).toMatch(/^stdout: "here"\nDeployment cost: /);
    expect((await repl(patientNode).run({ line: "for (" })).output).toMatch(
      /^Error: coop\.rchain\.rholang\.interpreter\.errors\$/,
    );
  });
});

describe("a program that would do harm", () => {
  test.each([
    // How fast the machine is decides what is used up first.
    ["without end", "new loop in { contract loop() = { loop!() } | loop!() }", /its time is up|memory|was ended/],
    [
      "that doubles",
      "new l in { contract l(@x) = { l!(x ++ x) } | l!([1, 2, 3, 4]) }",
      /limit of 4000000 parts|its time is up/,
    ],
    [
      "that fills the space",
      "new l in { contract l(@n) = { @n!([n, n, n, n]) | l!(n + 1) } | l!(0) }",
      /memory|its time is up|was ended/,
    ],
    [
      "whose matching has no end",
      `for (@{${Array.from({ length: 14 }, (_, i) => `@${i}!(x${i})`).join(" | ")} | y} <- @1) { Nil } | @1!(${Array.from({ length: 14 }, (_, i) => `@${i}!(1) | @${i}!(2)`).join(" | ")} | Nil)`,
      /.*/,
    ],
    ["nested deeply", `${"[".repeat(30_000)}${"]".repeat(30_000)}`, /.*/],
  ])("%s is stopped", async (_name, line, text) => {
    const { output } = await repl().run({ line });
    expect(output).toMatch(text);
    await untilItRuns();
  });

  test("ends when its client is gone", async () => {
    const gone = new AbortController();
    const running = repl().run({ line: "new l in { contract l() = { l!() } | l!() }" }, { signal: gone.signal });
    setTimeout(() => gone.abort(), 50);
    await expect(running).rejects.toThrow();
    await untilItRuns();
  });

  test("does not keep other clients from checking a text", async () => {
    const running = repl().run({ line: "new l in { contract l() = { l!() } | l!() }" });
    const lsp = createClient(Lsp, transport(node));
    const { result } = await lsp.validate({ text: "new x in { x }" });
    expect(result.case === "success" && result.value.diagnostics).toMatchObject([
      {
        range: { start: { line: 0n, column: 11n }, end: { line: 0n, column: 12n } },
        severity: DiagnosticSeverity.ERROR,
        source: "rholang",
        message: "Name variable: x at 1:5 used in process context at 1:12",
      },
    ]);
    await running;
  });

  test("can be one of many: further ones are refused", async () => {
    const lines = Array.from({ length: 30 }, () =>
      repl()
        .run({ line: "Nil" })
        .then(
          () => "run",
          () => "refused",
        ),
    );
    const answers = await Promise.all(lines);
    expect(answers.filter((answer) => answer === "run").length).toBeGreaterThanOrEqual(16);
    await untilItRuns();
  });
});

/** Waits until a small program runs to its end, which on a busy machine it may do only at the second or third time. */
async function untilItRuns(): Promise<void> {
  let last = "";
  const runs = async () =>
    (last = await repl()
      .run({ line: "Nil" })
      .then(({ output }) => output, String)).startsWith("Deployment cost: ");
  await until("a small program to run", runs, { state: () => last });
}
