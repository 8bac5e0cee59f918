import { createContext, runInContext } from "node:vm";
import { toHex } from "@vedette/crypto";
import { bundleForBrowser } from "@vedette/testing";
import { expect, test } from "vitest";
import { rnodeProofs } from "./rnodeProofs.js";
import { nameOf, SmallState } from "./testing/SmallState.js";
import type { verifyStateProof } from "./verifyStateProof.js";

test("a page checks proofs without anything of Node, and loads little for it", async () => {
  const { code, imports, gzipBytes } = await bundleForBrowser(
    new URL("../index.js", import.meta.url),
    "verifyStateProof",
  );
  expect(imports).toEqual([]);
  expect(gzipBytes).toBeLessThan(25_000);
  const page = createContext({ TextEncoder, TextDecoder });
  const { verifyStateProof: verify } = runInContext(`${code}; vedette`, page) as {
    readonly verifyStateProof: typeof verifyStateProof;
  };
  const state = new SmallState(new Map([["a", ["x", "y"]]]));
  const proof = state.prove("data", [nameOf("a")]);
  const { items } = verify(proof, { root: state.root }, undefined, rnodeProofs);
  expect(items.kind === "data" && items.data.length).toBe(2);
  const wrong = { ...proof, leaf: toHex(new Uint8Array(40)) };
  expect(() => verify(wrong, { root: state.root }, undefined, rnodeProofs)).toThrow(/leaf does not have the hash/);
});
