import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Peer } from "@vedette/network";
import { expect, onTestFinished, test } from "vitest";
import { SavedPeers } from "./rememberedPeers.js";

const peer = (digit: string): Peer => ({
  id: digit.repeat(40),
  host: "localhost",
  protocolPort: 40400,
  discoveryPort: 40404,
});

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), "vedette-peers-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("peers are remembered until there are others", () => {
  const remembered = new SavedPeers(directory());
  expect(remembered.read()).toEqual([]);
  remembered.write([peer("a"), peer("b")]);
  expect(remembered.read()).toEqual([peer("a"), peer("b")]);
  remembered.write([]);
  expect(remembered.read()).toEqual([peer("a"), peer("b")]);
  remembered.write([peer("c")]);
  expect(remembered.read()).toEqual([peer("c")]);
});

test("lines that are no addresses are left out", () => {
  const path = directory();
  const remembered = new SavedPeers(path);
  remembered.write([peer("a")]);
  const line = `rnode://${"a".repeat(40)}@localhost?protocol=40400&discovery=40404`;
  writeFileSync(join(path, "peers.txt"), `no address\n\n${line}\n\u0000`);
  expect(remembered.read()).toEqual([peer("a")]);
});

test("a directory that is gone does no harm", () => {
  new SavedPeers("/nowhere/at/all").write([peer("a")]);
  expect(new SavedPeers("/nowhere/at/all").read()).toEqual([]);
});
