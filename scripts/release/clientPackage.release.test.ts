import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createContext, runInContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";
import { made, releaseFolder, root } from "./madeRelease.js";

const run = promisify(execFile);
/** A user's project with only the package and the compiler in it. */
const project = mkdtempSync(join(tmpdir(), "vedette-client-"));
const write = (name: string, text: string) => writeFileSync(join(project, name), text);
const privateKey = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

beforeAll(async () => {
  write("package.json", '{ "name": "project", "private": true, "type": "module" }');
  const env = { ...process.env, npm_config_cache: join(releaseFolder, ".cache/npm") };
  await run("npm", ["install", "--no-audit", "--no-fund", made.client], { cwd: project, env });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Signs a deploy and computes an address: code of ours, of the registry's packages, native if there is some. */
const usage = `
  const key = deployKeyOf("${privateKey}");
  const deploy = buildDeploy({ term: "Nil", timestamp: 1n, validAfterBlockNumber: 0n, shardId: "root" }, key);
  const signed = [toHex(deploy.signature), addressOfKey(key)];`;

const page = `import { addressOfKey, buildDeploy, deployKeyOf, HttpClient, toHex } from "@vedette/client";
  import { verifyStateProof } from "@vedette/client/proof";
  export async function use(): Promise<string[]> {
    const client = new HttpClient({ url: "http://localhost:40403" });
    const { blockInfo } = await client.lastFinalizedBlock();
    const height: bigint = blockInfo.blockNumber;${usage}
    return [...signed, String(height), typeof verifyStateProof];
  }`;

async function compile(name: string, text: string, options: object): Promise<string> {
  write(`${name}.ts`, text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2023",
    exactOptionalPropertyTypes: true,
    ...options,
  };
  write(`tsconfig.${name}.json`, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const end = await run(process.execPath, [tsc, "-p", join(project, `tsconfig.${name}.json`)]).catch(
    (error: { stdout: string }) => error,
  );
  return end.stdout;
}

test("its types are whole, in a page that has no types of Node.js", async () => {
  const inBrowser = {
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
  };
  expect(await compile("page", page, { ...inBrowser, skipLibCheck: true })).toBe("");
  // Our own declarations must hold by themselves; those of others are not checked.
  const found = await compile("strict", page, { ...inBrowser, skipLibCheck: false });
  expect(found.split("\n").filter((line) => line.includes("@vedette"))).toEqual([]);
  const wrong = page.replace("const height: bigint", "const height: string");
  expect(await compile("wrong", wrong, { ...inBrowser, skipLibCheck: true })).toContain("not assignable");
});

test("its types are whole in a program for Node.js", async () => {
  const program = `import { NodeClient } from "@vedette/client/node";
    export const height = async (): Promise<bigint> => {
      using client = new NodeClient({ host: "localhost", port: 40401 });
      return (await client.latestBlock()).blockNumber;
    };`;
  const types = { types: ["node"], typeRoots: [join(root, "node_modules/@types")] };
  const found = await compile("program", program, {
    module: "nodenext",
    lib: ["es2023", "esnext.disposable"],
    ...types,
  });
  expect(found.split("\n").filter((line) => line.includes("@vedette") || line.startsWith("program"))).toEqual([]);
});

test("a bundler for pages needs nothing of Node.js, and what it makes signs as Node.js does", async () => {
  write("entry.js", `import * as client from "@vedette/client"; import "@vedette/client/proof"; export { client };`);
  const bundle = await rolldown({ input: join(project, "entry.js"), platform: "browser" });
  const { output } = await bundle.generate({ format: "iife", name: "vedette", minify: true });
  expect(output.flatMap(({ imports }) => ("imports" in output[0] ? (imports ?? []) : []))).toEqual([]);
  const code = output[0].code;
  expect(code).not.toMatch(/["'`]node:|\brequire\(|\bBuffer\b/);
  const names = "addressOfKey, buildDeploy, deployKeyOf, toHex";
  const { TextEncoder, TextDecoder, URL, AbortController, fetch, setTimeout, clearTimeout } = globalThis;
  const web = { TextEncoder, TextDecoder, URL, AbortController, fetch, setTimeout, clearTimeout, performance, crypto };
  const inPage = runInContext(
    `${code}; (() => { const { ${names} } = vedette.client; ${usage}; return signed; })()`,
    createContext(web),
  );
  write("program.mjs", `import { ${names} } from "@vedette/client"; ${usage} console.log(JSON.stringify(signed));`);
  const { stdout } = await run(process.execPath, ["program.mjs"], { cwd: project });
  expect(JSON.parse(stdout)).toEqual([...inPage]);
  const gzipBytes = gzipSync(code).length;
  process.stdout.write(
    `@vedette/client: ${statSync(made.client).size} bytes packed; a page with all of it: ${code.length} bytes, ${gzipBytes} after gzip\n`,
  );
  expect(gzipBytes).toBeLessThan(90_000);
});
