import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ContextFile, noteContext } from "@vedette/config";
import { expect, onTestFinished, test } from "vitest";
import { contextOfNetwork } from "./contextOfNetwork.js";
import { defaultSettings } from "./NetworkSettings.js";
import { planNetwork } from "./planNetwork.js";

const plan = planNetwork("/networks/my net", defaultSettings);

test("commands deploy to the first validator of a network and read from its observer", () => {
  const { name, writes, reads } = contextOfNetwork(plan, 1);
  const portsOf = (role: string) => plan.nodes.find((node) => node.role === role)!.ports;
  expect(name).toBe("my-net");
  expect(writes).toMatchObject({ host: "127.0.0.1", operatorPort: portsOf("validator").grpcInternal });
  expect(reads).toMatchObject({ host: "127.0.0.1", grpcPort: portsOf("observer").grpcExternal });
});

test("a network is noted while it runs, and no longer", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-noted-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "contexts.json");
  const warnings: string[] = [];
  {
    using _noted = noteContext(contextOfNetwork(plan, process.pid), path, (text) => warnings.push(text));
    expect(new ContextFile(path).current()?.pid).toBe(process.pid);
  }
  expect(new ContextFile(path).list()).toEqual([]);
  expect(warnings).toEqual([]);
});

test("a network runs where the list of contexts cannot be used, and reports it", () => {
  // A file is in the place of the folder.
  const unwritable = join(import.meta.filename, "contexts.json");
  const warnings: string[] = [];
  {
    using _noted = noteContext(contextOfNetwork(plan, process.pid), unwritable, (text) => warnings.push(text));
  }
  expect(warnings).toEqual([expect.stringContaining(`${unwritable} cannot be read`)]);
});
