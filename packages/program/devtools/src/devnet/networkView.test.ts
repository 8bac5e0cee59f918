import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { columnsOf, plainText } from "@vedette/terminal";
import { expect, test } from "vitest";
import { LogFile } from "./NetworkRun.js";
import type { NodeView } from "./NetworkWatch.js";
import { isWorthShowing, LineSplitter, parseNodeLine, printNodeLine } from "./NodeLine.js";
import { printShownLine, renderView, summaryLine } from "./networkView.js";

const running: NodeView = {
  name: "validator1",
  role: "validator",
  httpPort: 40413,
  state: "running",
  reason: undefined,
  restarts: 0,
  height: 128,
  finalized: 125,
  peers: 4,
  memoryBytes: 301 << 20,
  lastBlockMs: 97_000,
  finality: undefined,
  progress: undefined,
};
const ended: NodeView = {
  ...running,
  name: "observer",
  role: "observer",
  httpPort: 40453,
  state: "restarting",
  reason: "exit code 1: the disk is full",
  restarts: 2,
  height: undefined,
  finalized: undefined,
  peers: undefined,
  memoryBytes: undefined,
  lastBlockMs: undefined,
};
const line = {
  node: "validator1",
  time: "2026-01-02T03:04:05.678Z",
  text: "Block created: #128 (aabbccddee...) (3d) [41 ms]",
};

test("the view: a row for each node, why one does not run, the last lines, what can be done", () => {
  const facts = {
    nodes: [running, ended],
    lines: [line],
    nowMs: 100_000,
    width: 100,
    height: 40,
    footer: "Ctrl-C stops the network.",
  };
  expect(renderView(facts).join("\n")).toMatchInlineSnapshot(`
    "
    node        role        HTTP  state       block  final  peers  memory  last block
    validator1  validator  40413  running       128    125      4  301 MB     3 s ago
    observer    observer   40453  restarting      –      –      –       –           –
    observer: exit code 1: the disk is full (started again 2 times)

    03:04:05 validator1 Block created: #128 (aabbccddee...) (3d) [41 ms]

    Ctrl-C stops the network."
  `);
});

test("a node that is behind has a bar, its speed, and the time that is left", () => {
  const progress = { done: 250, total: 1_000, perSecond: 50, unit: "blocks", secondsLeft: 15 };
  const nodes = [running, { ...running, name: "observer", state: "syncing" as const, progress }];
  const view = renderView({ nodes, lines: [], nowMs: 0, width: 100, height: 20, footer: "" });
  expect(view).toContain("observer: ██████░░░░░░░░░░░░░░░░░░ 25 %, 50 blocks/s, 15 s left");
});

test("no line is wider than the terminal, nor the whole higher", () => {
  const lines = Array.from({ length: 50 }, () => line);
  const footer = "Ctrl-C stops the network.";
  const text = renderView({ nodes: [running, ended], lines, nowMs: 0, width: 40, height: 20, footer });
  expect(text.length).toBe(20);
  expect(Math.max(...text.map(columnsOf))).toBe(40);
  expect(text.at(-1)).toBe(footer);
  const many = Array.from({ length: 50 }, () => running);
  const low = renderView({ nodes: many, lines, nowMs: 0, width: 100, height: 24, footer });
  expect([low.length, low.at(-1)]).toEqual([24, footer]);
  const tiny = renderView({ nodes: [running], lines, nowMs: 0, width: 1, height: 1, footer: "" });
  expect([tiny.length, ...tiny.map(columnsOf)]).toEqual([1, 0]);
});

test("the nodes' reports of silent validators and finality are shown once, in the view and in the line", () => {
  const said =
    "2 of 3 validators silent since 2026-01-02T03:04:05Z, finality stalled at #7 because no validator proposes";
  const nodes = ["other words", said, said, undefined].map((finality) => ({ ...running, finality }));
  const text = renderView({ nodes, lines: [], nowMs: 0, width: 200, height: 40, footer: "" });
  expect(text.filter((one) => one.includes("silent") || one.includes("other"))).toEqual([said]);
  expect(summaryLine(nodes)).toMatch(new RegExp(`^block/final: validator1 .*; ${said}$`));
});

test("the text of nodes stays on its line and drives no terminal", () => {
  const hostile = { ...line, text: "one\ntwo\x1b[2J\tthree" };
  expect(printShownLine(hostile)).toBe("03:04:05 validator1 one two?[2J three");
  const facts = { lines: [hostile], nowMs: 0, width: 200, height: 40, footer: "" };
  const text = renderView({ ...facts, nodes: [{ ...ended, reason: "exit\r\x1b]0;title\x07\nmore" }] });
  expect(plainText(text.join(""))).toBe(text.join(""));
  expect(text).toContain("observer: exit??]0;title? more (started again 2 times)");
});

test("one line for all nodes", () => {
  expect(summaryLine([running, ended])).toBe("block/final: validator1 128/125 301 MB, observer restarting –");
});

test("lines of a node: JSON of its log, and the text of a dying process", () => {
  const log = parseNodeLine(
    '{"level":"warn","time":"2026-01-02T03:04:05.678Z","msg":"Recording invalid block aabb..."}',
  );
  expect(printNodeLine(log)).toBe("2026-01-02T03:04:05.678Z [WARN] Recording invalid block aabb...");
  expect(isWorthShowing(log)).toBe(true);
  expect(parseNodeLine("vedette: no key")).toEqual({ time: undefined, level: "error", text: "no key" });
  expect(parseNodeLine("TypeError: x is not a function").level).toBe("error");
  expect(parseNodeLine("    at run (file:1:1)").level).toBe("info");
  for (const broken of ["{", '{"level":1,"msg":2}', "null", "", "\u0000"])
    expect(() => parseNodeLine(broken)).not.toThrow();
  expect(parseNodeLine("x".repeat(100_000)).text.length).toBeLessThan(5_000);
});

test("chunks become lines, also where no line ever ends", () => {
  const lines: string[] = [];
  const splitter = new LineSplitter((text) => lines.push(text));
  for (const chunk of ["a", "b\nc", "\n\nd"]) splitter.add(chunk);
  splitter.end();
  expect(lines).toEqual(["ab", "c", "", "d"]);
  lines.length = 0;
  for (let index = 0; index < 100; index++) splitter.add("x".repeat(100_000));
  expect(lines.length).toBeGreaterThan(5);
});

test("a log keeps its last part and the one before", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  const path = join(folder, "node", "node.log");
  const log = new LogFile(path, 100);
  for (let index = 0; index < 25; index++) log.write(`line ${String(index).padStart(4, "0")}`);
  // Ten bytes a line.
  new LogFile(path, 100).write("line last");
  const kept = readFileSync(`${path}.1`, "utf8") + readFileSync(path, "utf8");
  expect(kept.split("\n").length - 1).toBe(16);
  expect(kept.endsWith("line 0024\nline last\n")).toBe(true);
  rmSync(folder, { recursive: true });
});
