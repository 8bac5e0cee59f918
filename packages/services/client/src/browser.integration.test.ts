import { createContext, runInContext } from "node:vm";
import { fromHex, isNativeSecp256k1, toHex } from "@vedette/crypto";
import { bundleForBrowser } from "@vedette/testing";
import { expect, test } from "vitest";
import * as client from "./index.js";

/** The globals of a page, without those of Node. */
function page(): object {
  const { TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, fetch, setTimeout, clearTimeout } =
    globalThis;
  const web = { TextEncoder, TextDecoder, URL, URLSearchParams, AbortController, fetch, setTimeout, clearTimeout };
  // As in a page with a Content-Security-Policy that forbids WebAssembly.
  return createContext({ ...web, performance, crypto, WebAssembly: undefined });
}

const privateKey = "67e56582298859ddae725f972992a07c6c4fb9f62a8fff58ce3ca926a1063530";

const index = new URL("./index.js", import.meta.url);
const wholePackage = bundleForBrowser(index, "*");

test("the whole package runs in a browser, and signs as Node does", async () => {
  const bundle = await wholePackage;
  expect(bundle.imports).toEqual([]);
  expect(bundle.code).not.toMatch(/["'`]node:|\brequire\(|\bBuffer\b|\b__dirname\b/);
  expect(isNativeSecp256k1).toBe(true);
  const inPage = runInContext(`${bundle.code}; vedette`, page()) as typeof client;
  expect(Object.keys(inPage).sort()).toEqual(Object.keys(client).sort());
  for (const algorithm of ["secp256k1", "secp256k1:eth"] as const) {
    for (let round = 1; round <= 5; round += 1) {
      const request = {
        term: `@${round}!("ü")`,
        timestamp: BigInt(round),
        validAfterBlockNumber: -1n,
        shardId: "root",
      };
      const made = (at: typeof client) => {
        const key = at.deployKeyOf(fromHex(privateKey.slice(2) + round.toString(16).padStart(2, "0")), algorithm);
        return [toHex(at.buildDeploy(request, key).signature), at.addressOfKey(key), toHex(key.publicKey)];
      };
      expect(made(inPage)).toEqual(made(client));
    }
  }
});

/** Largest sizes for what a page may want alone, in bytes after gzip. */
const budget: readonly (readonly [names: readonly string[], gzipBytes: number])[] = [
  [["rholangText", "rholang"], 4_000],
  [["rhoValueOfJson"], 3_000],
  [["transferTerm", "balanceTerm"], 6_000],
  [["HttpConnection"], 5_000],
  [["buildDeploy", "deployKeyOf"], 25_000],
  [["HttpClient"], 32_000],
  [["*"], 90_000],
];

test.each(budget)("a page that uses %j loads no more than %i bytes", async (names, most) => {
  const { gzipBytes, bytes, imports } = await (names[0] === "*" ? wholePackage : bundleForBrowser(index, ...names));
  process.stdout.write(`${names.join(", ").padEnd(28)} ${bytes} bytes, ${gzipBytes} after gzip\n`);
  expect(imports).toEqual([]);
  expect(gzipBytes).toBeLessThan(most);
});
