import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const { href: confineThread } = new URL("../../dist/thread/confineThread.js", import.meta.url);

/** The attempts of a program that broke out of the interpreter, each as an expression. */
const attempts = {
  "read a file": `fs.readFileSync("/etc/passwd")`,
  "read a file, later": `await fs.promises.readFile("/etc/passwd")`,
  "open a file, imported again": `(await import("node:fs")).openSync("/etc/passwd")`,
  "open a file by a name that was imported before": `openSync("/etc/passwd")`,
  "open a file by the module that Node.js hands out": `process.getBuiltinModule("fs").openSync("/etc/passwd")`,
  "write a file": `fs.writeFileSync("/tmp/never", "x")`,
  "load a module": `createRequire("/")("/etc/passwd")`,
  "start a process": `(await import("node:child_process")).spawnSync("id")`,
  "call a host": `(await import("node:net")).connect(80, "127.0.0.1")`,
  "call a host by UDP": `(await import("node:dgram")).createSocket("udp4")`,
  "look up a name": `await (await import("node:dns/promises")).lookup("localhost")`,
  "fetch a page": `await fetch("http://127.0.0.1")`,
  "start a thread": `new (await import("node:worker_threads")).Worker("1", { eval: true })`,
  "reach the engine's own parts": `process.binding("fs")`,
  "load native code": `process.dlopen({ exports: {} }, "/lib/x86_64-linux-gnu/libm.so.6")`,
  "end a process": `process.kill(process.pid, 0)`,
  "read the environment": `(() => { if (process.env.SECRET === undefined) throw new Error("is not there"); })()`,
};

const thread = `
import fs, { openSync } from "node:fs";
import { createRequire } from "node:module";
import { parentPort } from "node:worker_threads";
import { confineThread } from ${JSON.stringify(confineThread)};
const outcomes = {};
confineThread();
${Object.entries(attempts)
  .map(
    ([what, code]) =>
      `try { ${code}; outcomes[${JSON.stringify(what)}] = "done"; } catch (error) { outcomes[${JSON.stringify(what)}] = error.message; }`,
  )
  .join("\n")}
parentPort.postMessage(outcomes);
`;

/** Another thread, as the main one of a node, goes on as before. */
const main = `
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { Worker } from "node:worker_threads";
const worker = new Worker(new URL("thread.mjs", import.meta.url), { env: {} });
const [outcomes] = await once(worker, "message");
outcomes["the main thread"] = readFileSync("/etc/passwd").length > 0 && process.env.SECRET;
console.log(JSON.stringify(outcomes));
`;

test("a thread that runs programs reaches no file, host, process, thread or variable", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-confined-"));
  writeFileSync(join(folder, "main.mjs"), main);
  writeFileSync(join(folder, "thread.mjs"), thread);
  const env = { ...process.env, SECRET: "secret" };
  const { stdout } = await run(process.execPath, [join(folder, "main.mjs")], { env });
  rmSync(folder, { recursive: true });
  const outcomes = JSON.parse(stdout) as Record<string, string>;
  const { "the main thread": ofMain, ...ofThread } = outcomes;
  expect(ofMain).toBe("secret");
  expect(Object.keys(ofThread)).toEqual(Object.keys(attempts));
  for (const [what, text] of Object.entries(ofThread))
    expect(text, what).toMatch(/is not for threads that run programs|is not defined|is not there/);
});
