import { createContext, runInContext } from "node:vm";
import { bundleForBrowser } from "@vedette/testing";
import { expect, test } from "vitest";
import * as light from "./index.js";
import { SignedNetwork, updateOf } from "./testing/index.js";

test("a page verifies updates without anything of Node, and loads little for it", async () => {
  const { code, imports, gzipBytes, bytes } = await bundleForBrowser(new URL("./index.js", import.meta.url), "*");
  process.stdout.write(`@vedette/light: ${bytes} bytes, ${gzipBytes} after gzip\n`);
  expect(imports).toEqual([]);
  expect(code).not.toMatch(/["'`]node:|\brequire\(["'`]|\bBuffer\b|\b__dirname\b/);
  expect(gzipBytes).toBeLessThan(120_000);
  const { TextEncoder, TextDecoder } = globalThis;
  const page = createContext({ TextEncoder, TextDecoder, WebAssembly: undefined });
  const inPage = runInContext(`${code}; vedette`, page) as typeof light;
  const network = new SignedNetwork({ a: 1, b: 1, c: 1 });
  const chain = network.chain(network.genesis, "a", "b", "c", "a", "b", "c");
  const trusted = light.trustedBlockOf(network.genesis);
  const update = updateOf(chain[1]!, chain);
  const shown = inPage.verifyUpdate(trusted, update, inPage.rnodeRules(0.99));
  expect(shown.trusted.number).toBe(2n);
  const lie = { ...update, blocks: update.blocks.slice(0, 4) };
  expect(() => inPage.verifyUpdate(trusted, lie, inPage.rnodeRules(0.99))).toThrow(/is final by the trusted bonds/);
});

test("a page runs programs on verified states, with code that is loaded apart", async () => {
  const { code, imports, gzipBytes, bytes } = await bundleForBrowser(
    new URL("./explore/index.js", import.meta.url),
    "*",
  );
  process.stdout.write(`@vedette/light/explore: ${bytes} bytes, ${gzipBytes} after gzip\n`);
  expect(imports).toEqual([]);
  // A page may forbid WebAssembly.
  expect(code).not.toMatch(/\bWebAssembly\b/);
  expect(/["'`]node:|\brequire\(["'`]|\bBuffer\b|\b__dirname\b/.exec(code)?.[0]).toBeUndefined();
  expect(gzipBytes).toBeLessThan(250_000);
});
