import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as developmentRoutes from "@vedette/api/development";
import { vedetteProgram } from "@vedette/cli";
import { patienceMs } from "@vedette/cli/testing";
import { TestQueries } from "@vedette/queries/testing";
import { contractsOf, createHttpServer } from "@vedette/server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "./documents.js";
import { mayRun, notRun, operatorGuides, wholeGuides } from "./notRun.js";
import { guideFiles, shellCommands } from "./shellCommands.js";

const run = promisify(execFile);
const all = shellCommands();
const texts = [...new Set(all.map(({ text }) => text))];
const reasonOf = (text: string) => notRun.find(([pattern]) => pattern.test(text))?.[1];
const isOfWholeGuide = (path: string) => [...wholeGuides, ...operatorGuides].some((one) => one === path);
/** The commands of documents with independent commands. */
const single = [...new Set(all.filter(({ path }) => !isOfWholeGuide(path)).map(({ text }) => text))];
const offline = single.filter((text) => reasonOf(text) === undefined);

const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly scripts: { readonly [name: string]: string };
};
const builtScript = (name: string) => scripts[name]!.replace("npm run -s build && ", "");

const folder = mkdtempSync(join(tmpdir(), "vedette-shell-"));
const environment = {
  ...process.env,
  PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
  HOME: folder,
  VEDETTE_KEY_PASSWORD: "a password",
};

beforeAll(() => {
  for (const name of ["bin", "data", "tests", ".config/fish/completions"])
    mkdirSync(join(folder, name), { recursive: true });
  symlinkSync(join(root, "packages/program/cli/bin/vedette.js"), join(folder, "bin/vedette"));
  for (const { path, name, text } of guideFiles()) if (!isOfWholeGuide(path)) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "rnode.conf"), "protocol-server.network-id = devnet1\n");
  writeFileSync(join(folder, "tests/sums.rho"), "//: case a transfer\nequal!(1 + 1, 2)\n");
  writeFileSync(join(folder, "program.rho"), 'new out(`rho:io:stdout`) in { out!("hello") }\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("readers find commands, and some of them need nothing but the program", () => {
  expect(all.length).toBeGreaterThan(60);
  expect(offline.length).toBeGreaterThanOrEqual(10);
});

test("every command is run, or has a reason in notRun.ts why it is not", () => {
  expect(offline.filter((text) => !mayRun.test(text))).toEqual([]);
});

// In the order of the documents: what one makes another reads.
test.each(offline.filter((text) => mayRun.test(text)))("%s", async (text) => {
  const [, script, args = ""] = /^npm run (\S+)(?: -- (.*))?$/.exec(text) ?? [];
  // Scripts without the build before them; npx would look for what npm links.
  const command = script === undefined ? text.replaceAll("npx vedette", "vedette") : `${builtScript(script)} ${args}`;
  const cwd = script === undefined ? folder : root;
  // Rejects where the exit code is not 0.
  await run("bash", ["-c", command], { cwd, env: environment, timeout: Math.ceil(patienceMs()) });
});

test("every command of vedette in a document exists, with its options", () => {
  const program = vedetteProgram();
  const unknown: string[] = [];
  for (const call of texts.flatMap((text) => text.split(" && "))) {
    const [, given] = /^(?:npx )?vedette (.*)$/.exec(call) ?? [];
    if (given === undefined) continue;
    const [first, second] = given.split(/\s+/);
    let command = program.commands.find((one) => one.name() === first || one.aliases().includes(first!));
    command = command?.commands.find((one) => one.name() === second) ?? command;
    const known = command?.options.flatMap(({ long, short }) => [long, short]);
    for (const [, option] of given.replaceAll(/'[^']*'|"(?!--)[^"]*"/g, "").matchAll(/(?:^|[\s"])(--?[a-z][\w-]*)/g))
      if (option !== "--help" && known?.includes(option!) !== true) unknown.push(`${call}: ${option}`);
    if (command === undefined && !first!.startsWith("--")) unknown.push(call);
  }
  expect(unknown).toEqual([]);
});

test("every npm script in a document is in package.json", () => {
  for (const text of texts)
    for (const [, name] of text.matchAll(/\bnpm run (?:-s )?([\w:]+)/g))
      expect(Object.keys(scripts), text).toContain(name);
});

test("every route that a document requests with curl exists", () => {
  const queries = TestQueries.empty().queries();
  const server = createHttpServer({ queries, metrics: async () => "", events: {} as never });
  const patterns = [...contractsOf(server), ...Object.values(developmentRoutes)]
    .flatMap(({ paths }) => paths)
    .map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`));
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/(?:localhost:40\d{3}|\$N)(\/[^\s"?]*)/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.startsWith("/casper.v1.")),
  );
  expect(asked.length).toBeGreaterThan(20);
  expect(asked.filter((path) => !patterns.some((pattern) => pattern.test(path)))).toEqual([]);
});

test("every reason not to run a command is needed, but for those of packages", () => {
  const needless = notRun.filter(([pattern]) => !single.some((text) => pattern.test(text)));
  expect(needless.filter(([, reason]) => !reason.includes("packages")).map(([pattern]) => String(pattern))).toEqual([]);
});
