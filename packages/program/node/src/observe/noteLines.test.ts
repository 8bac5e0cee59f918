import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { noteLines } from "./noteLines.js";

const signature = new Uint8Array(71).fill(0xab);
const block = {
  hash: new Uint8Array(32).fill(1),
  number: 4n,
  parents: [new Uint8Array(32)],
  body: { deploys: [{ deploy: { signature } }] },
};
const note = {
  prints: [{ stream: "stdout" as const, text: '"hello"' }],
  faults: [{ class: "SyntaxError", text: "syntax error(): | at 1:5-1:6", line: 1, column: 5 }],
  isCut: true,
};

test("the log has what a deploy wrote and why it failed, with its id", () => {
  const lines = noteLines(block as unknown as Block, [note], false);
  const id = toHex(signature);
  const subject = `Deploy ${id.slice(0, 20)}...${id.slice(-20)} in block #4 (0101010101...)`;
  expect(lines).toEqual([
    { level: "info", area: "chain", text: `${subject} wrote to stdout: "hello"` },
    { level: "info", area: "chain", text: `${subject} failed: SyntaxError at 1:5: syntax error(): | at 1:5-1:6` },
    { level: "info", area: "chain", text: `${subject} wrote more than is stored.` },
  ]);
  expect(noteLines(block as unknown as Block, [note], true).map(({ level }) => level)).toEqual(Array(3).fill("debug"));
});
