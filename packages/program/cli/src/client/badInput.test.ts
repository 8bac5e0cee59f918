import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeServices, lightBlockFixture } from "@vedette/client/fakes";
import { afterAll, describe, expect, test } from "vitest";
import { runCommand, runOnFake, testKey } from "./testing/runCommand.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-bad-input-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const environment = { VEDETTE_PRIVATE_KEY: testKey };
const bytes = (text: string) => new TextEncoder().encode(text);
const program = "@1!(2) |\n@3!(4)\n";
mkdirSync(join(folder, "directory.rho"));

/** A node that takes every deploy, and keeps its term. */
function taking(): { readonly services: FakeServices; readonly terms: string[] } {
  const terms: string[] = [];
  const deploys: FakeServices["deploys"] = {
    async *getBlocks() {
      yield { message: { case: "blockInfo", value: lightBlockFixture() } };
    },
    doDeploy({ term }) {
      terms.push(term);
      return { message: { case: "result", value: "Success!\nDeployId is: 3045" } };
    },
  };
  return { services: { deploys }, terms };
}

describe("a contract file", () => {
  test.each([
    [
      "that is not UTF-8",
      "latin.rho",
      Uint8Array.of(0x40, 0xe9, 0x21),
      /latin\.rho\nit is no UTF-8 text; save it as UTF-8/,
    ],
    ["that is UTF-16", "wide.rho", Buffer.from("\ufeff@1!(2)", "utf16le"), /wide\.rho\nit is no UTF-8 text/],
    [
      "that is larger than a node takes",
      "large.rho",
      Buffer.alloc(16_777_217, 0x20),
      /large\.rho exceeds the limit of 16777216 bytes/,
    ],
    ["that is a directory", "directory.rho", undefined, /directory\.rho\nit is a directory, not a program/],
    ["that is not there", "nothing.rho", undefined, /nothing\.rho\nENOENT/],
  ])("%s is refused in a sentence with its name, and nothing is sent", async (_, name, content, message) => {
    const path = content === undefined ? join(folder, name) : file(name, content);
    const { services, terms } = taking();
    for (const command of [
      ["deploy", path],
      ["deploy", "-f", path],
      ["explore", path],
    ]) {
      const run = await runOnFake(services, command, { environment });
      expect([run.exitCode, run.output]).toEqual([1, ""]);
      expect(run.errors).toMatch(message);
      expect(run.errors).not.toMatch(/\n {4}at /);
    }
    expect(terms).toEqual([]);
  });

  test.each([
    ["with a byte order mark", Buffer.concat([Uint8Array.of(0xef, 0xbb, 0xbf), bytes(program)]), program],
    ["with Windows line ends", bytes(program.replaceAll("\n", "\r\n")), program.replaceAll("\n", "\r\n")],
    ["of 10 MB", bytes(program + " ".repeat(10_000_000)), program + " ".repeat(10_000_000)],
  ])("%s is deployed as the program that it is", async (name, content, term) => {
    const { services, terms } = taking();
    const run = await runOnFake(services, ["deploy", file(`${name}.rho`, content)], { environment });
    expect([run.exitCode, run.errors]).toEqual([0, ""]);
    expect(terms.length === 1 && terms[0] === term).toBe(true);
  });
});

describe("a private key", () => {
  const wrong = /invalid private key in .*: expected 64 hex digits, optional 0x prefix/;
  test.each([
    ["of 63 digits", testKey.slice(1)],
    ["of 66 digits", `${testKey}00`],
    ["with spaces within", testKey.replace(/(.{8})/g, "$1 ")],
    ["of other signs", `${"z".repeat(64)}`],
    ["that is a public key", `04${"11".repeat(64)}`],
  ])("%s is refused without being shown", async (_, key) => {
    const path = file("wrong.key", `${key}\n`);
    const { services, terms } = taking();
    const source = file("good.rho", program);
    const given = await runOnFake(services, ["deploy", source, "--private-key", key]);
    const inEnvironment = await runOnFake(services, ["deploy", source], { environment: { VEDETTE_PRIVATE_KEY: key } });
    for (const { exitCode, errors } of [given, inEnvironment]) {
      expect([exitCode, wrong.test(errors)]).toEqual([1, true]);
      expect(errors).not.toContain(key);
    }
    const inFile = await runOnFake(services, ["deploy", source, "--private-key-file", path]);
    expect([inFile.exitCode, inFile.errors.includes("wrong.key"), inFile.errors.includes(key)]).toEqual([
      1,
      true,
      false,
    ]);
    expect(terms).toEqual([]);
  });

  test.each([
    ["with 0x", `0x${testKey}`],
    ["with spaces around it", `  ${testKey} \n`],
    ["of capital letters", testKey.toUpperCase()],
  ])("%s is taken", async (_, key) => {
    const { services, terms } = taking();
    const run = await runOnFake(services, ["deploy", file("good.rho", program), "--private-key", key]);
    expect([run.exitCode, terms.length]).toEqual([0, 1]);
  });
});

test("an unknown command or option is answered with the nearest one", async () => {
  for (const [typed, meant] of [
    ["blcoks", "blocks"],
    ["deploy-statsu", "deploy-status"],
    ["registy", "registry"],
  ]) {
    const run = await runCommand([typed!]);
    expect([run.exitCode, run.errors]).toEqual([1, expect.stringContaining(`(Did you mean ${meant}?)`)]);
  }
  const option = await runCommand(["blocks", "--josn"]);
  expect([option.exitCode, option.errors]).toEqual([1, expect.stringContaining("(Did you mean --json?)")]);
});
