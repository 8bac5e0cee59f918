import { EmulatedTerminal } from "@vedette/terminal/testing";
import { expect, test } from "vitest";
import { createDisplay } from "./NetworkDisplay.js";
import type { NodeView } from "./NetworkWatch.js";

const starting: NodeView = {
  name: "bootstrap",
  role: "bootstrap",
  httpPort: 14_403,
  state: "starting",
  reason: undefined,
  restarts: 0,
  height: undefined,
  finalized: undefined,
  peers: undefined,
  memoryBytes: undefined,
  lastBlockMs: undefined,
  finality: undefined,
  progress: undefined,
};
const running: NodeView = { ...starting, state: "running", height: 3, finalized: 2, peers: 4 };
const ended: NodeView = { ...running, name: "validator1", role: "validator", state: "restarting", reason: "killed" };
const lineOf = (second: number) => ({ node: "bootstrap", time: `2026-01-02T03:04:0${second}.000Z`, text: "came" });

const title = expect.stringMatching(/^node +(role +)?HTTP +state +block +final +peers +memory +last block$/);
const footer = "Ctrl-C stops the network.";

test.each([
  [80, 24],
  [200, 50],
])("the first screens of a network that starts are whole at %i columns, %i rows", async (columns, rows) => {
  const terminal = new EmulatedTerminal(columns, rows);
  const display = createDisplay("view", terminal as unknown as NodeJS.WriteStream);
  terminal.write("what was shown before\r\n");
  display.nodes([starting, { ...ended, state: "starting", reason: undefined }]);
  const rowOf = (name: string, state: string) => expect.stringMatching(new RegExp(`^${name} .* ${state} `));
  const table = [rowOf("bootstrap", "starting"), rowOf("validator1", "starting")];
  expect(await terminal.lines()).toEqual(["what was shown before", "", title, ...table, "", footer]);
  display.line(lineOf(1));
  display.nodes([running, ended]);
  const later = ["", title, rowOf("bootstrap", "running"), rowOf("validator1", "restarting"), "validator1: killed", ""];
  const came = (second: number) => `03:04:0${second} bootstrap  came`;
  expect(await terminal.lines()).toEqual(["what was shown before", ...later, came(1), "", footer]);
  display.line(lineOf(2));
  display.say("Stopping all nodes.");
  const last = ["what was shown before", ...later, came(1), came(2), "", "Stopping all nodes."];
  expect(await terminal.lines()).toEqual(last);
  await terminal.resize(60, 15);
  expect((await terminal.lines()).slice(-6)).toEqual([
    "validator1: killed",
    "",
    came(1),
    came(2),
    "",
    "Stopping all nodes.",
  ]);
  display.end();
  terminal.write("the end");
  expect((await terminal.lines()).slice(-2)).toEqual(["Stopping all nodes.", "the end"]);
});
