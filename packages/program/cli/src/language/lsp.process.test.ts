import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { until } from "@vedette/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  CodeActionRequest,
  CompletionRequest,
  createProtocolConnection,
  DefinitionRequest,
  DidChangeTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DocumentFormattingRequest,
  DocumentSymbolRequest,
  ExitNotification,
  HoverRequest,
  InitializedNotification,
  InitializeRequest,
  type ProtocolConnection,
  PublishDiagnosticsNotification,
  type PublishDiagnosticsParams,
  RenameRequest,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));

function startServer(...options: readonly string[]) {
  const server = spawn(process.execPath, [vedette, "lsp", "--stdio", ...options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const connection: ProtocolConnection = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  return { server, connection };
}

const { server, connection } = startServer();
const uri = "file:///counter.rho";
const source = [
  "new counter, out(`rho:io:stdout`) in {",
  "  contract counter(@x, ret) = { ret!(x.length()) } |",
  "  counter!([1], *out)",
  "}",
  "",
].join("\n");
const published: PublishDiagnosticsParams[] = [];
let version = 1;

async function write(text: string): Promise<PublishDiagnosticsParams> {
  const count = published.length;
  version += 1;
  const contentChanges = [{ text }];
  await connection.sendNotification(DidChangeTextDocumentNotification.type, {
    ...{ textDocument: { uri, version }, contentChanges },
  });
  await until("remarks", () => published.length > count);
  return published.at(-1)!;
}

const at = (line: number, character: number) => ({ textDocument: { uri }, position: { line, character } });

beforeAll(async () => {
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => void published.push(params));
  connection.listen();
  const { capabilities } = await connection.sendRequest(InitializeRequest.type, {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
  });
  expect(capabilities).toMatchObject({ hoverProvider: true, renameProvider: true, documentFormattingProvider: true });
  await connection.sendNotification(InitializedNotification.type, {});
  const textDocument = { uri, languageId: "rholang", version, text: source };
  await connection.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
  await until("the first remarks", () => published.length === 1);
});

afterAll(() => {
  connection.dispose();
  server.kill();
});

test("remarks come while one types, and go when they are mended", async () => {
  expect(published[0]!.diagnostics).toEqual([]);
  const broken = await write(source.replace("[1]", "[1"));
  expect(broken.diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["SyntaxError", 1]]);
  const unused = await write(source.replace("counter,", "counter, spare,"));
  expect(unused.diagnostics).toMatchObject([
    {
      ...{ code: "unused-name", severity: 2, source: "vedette" },
      range: { start: { line: 0, character: 13 }, end: { line: 0, character: 18 } },
    },
  ]);
  expect((await write(source)).diagnostics).toEqual([]);
});

test("a hover shows what a name is bound to, and what a method does", async () => {
  expect(await connection.sendRequest(HoverRequest.type, at(2, 3))).toMatchObject({
    contents: { value: "**counter** · new name, line 1, 2 uses" },
  });
  expect(await connection.sendRequest(HoverRequest.type, at(2, 18))).toMatchObject({
    contents: { value: expect.stringContaining("the channel `rho:io:stdout`, line 1") },
  });
  expect(await connection.sendRequest(HoverRequest.type, at(1, 41))).toMatchObject({
    contents: { value: expect.stringMatching(/^\*\*length\*\*[\s\S]*Costs 20 phlo\.$/) },
  });
  expect(await connection.sendRequest(HoverRequest.type, at(3, 0))).toBeNull();
});

test("a name leads to its declaration, and is renamed everywhere unless that changes a meaning", async () => {
  expect(await connection.sendRequest(DefinitionRequest.type, at(2, 3))).toMatchObject({
    range: { start: { line: 0, character: 4 }, end: { line: 0, character: 11 } },
  });
  const renamed = await connection.sendRequest(RenameRequest.type, { ...at(0, 5), newName: "sizes" });
  expect(renamed?.changes?.[uri]?.map(({ range }) => range.start.line)).toEqual([0, 1, 2]);
  await expect(connection.sendRequest(RenameRequest.type, { ...at(0, 5), newName: "out" })).rejects.toThrow(
    "is already used for something else",
  );
  await expect(connection.sendRequest(RenameRequest.type, { ...at(0, 5), newName: "for" })).rejects.toThrow("no name");
});

test("contracts and names are listed, methods and channels proposed, the text laid out", async () => {
  const symbols = await connection.sendRequest(DocumentSymbolRequest.type, { textDocument: { uri } });
  expect(symbols?.map(({ name }) => name)).toEqual(["counter", "out", "counter(@x, ret)"]);
  const labels = async (line: number, character: number) => {
    const items = await connection.sendRequest(CompletionRequest.type, at(line, character));
    return (Array.isArray(items) ? items : (items?.items ?? [])).map(({ label }) => label);
  };
  expect(await labels(1, 39)).toEqual(expect.arrayContaining(["length", "nth"]));
  expect(await labels(0, 18)).toContain("rho:registry:lookup");
  expect(await labels(1, 32)).toEqual(expect.arrayContaining(["counter", "out", "x", "ret"]));
  await write("new  x in{x!(1)}");
  const options = { tabSize: 2, insertSpaces: true };
  expect(
    await connection.sendRequest(DocumentFormattingRequest.type, { textDocument: { uri }, options }),
  ).toMatchObject([{ newText: "new x in { x!(1) }\n" }]);
});

test("a parenthesis that f1r3node does without is an error, and one click adds it", async () => {
  const { server: f1r3nodeServer, connection: asked } = startServer("--dialect", "f1r3node");
  try {
    const remarks: PublishDiagnosticsParams[] = [];
    asked.onNotification(PublishDiagnosticsNotification.type, (params) => void remarks.push(params));
    asked.listen();
    await asked.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
    await asked.sendNotification(InitializedNotification.type, {});
    const textDocument = { uri, languageId: "rholang", version: 1, text: "(1 + 2 // three" };
    await asked.sendNotification(DidOpenTextDocumentNotification.type, { textDocument });
    await until("the remarks", () => remarks.length === 1);
    const [remark] = remarks[0]!.diagnostics;
    expect(remark).toMatchObject({ code: "unclosed", severity: 1, range: { end: { line: 0, character: 6 } } });
    const end = { line: 0, character: 6 };
    const ask = (range: { start: typeof end; end: typeof end }) =>
      asked.sendRequest(CodeActionRequest.type, { textDocument: { uri }, range, context: { diagnostics: [] } });
    expect(await ask(remark!.range)).toMatchObject([
      { title: "Add “)”", edit: { changes: { [uri]: [{ range: { start: end, end }, newText: ")" }] } } },
    ]);
    const start = { line: 0, character: 0 };
    expect(await ask({ start, end: start })).toEqual([]);
  } finally {
    asked.dispose();
    f1r3nodeServer.kill();
  }
});

test("it ends when the editor ends the session", async () => {
  await connection.sendRequest(ShutdownRequest.type);
  const exit = once(server, "exit");
  await connection.sendNotification(ExitNotification.type);
  expect(await exit).toEqual([0, null]);
});
