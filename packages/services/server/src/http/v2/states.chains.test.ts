import type { AddressInfo } from "node:net";
import { rnodeProofs, StateProofError, type StateProofJson, verifyStateProof } from "@vedette/client/proof";
import { fromHex } from "@vedette/crypto";
import { TestQueries } from "@vedette/queries/testing";
import { ownChain, type RecordedBlockFacts, recordedBlocks, usualChains } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHttpServer } from "../server.js";

interface Entries {
  readonly root: string;
  readonly count: number;
  readonly proof: StateProofJson;
}

/** Requests of every kind: a contract, its names together with others, stored data, and unused names. */
const questions = [
  ["continuations", "uri=rho%3Archain%3Apos"],
  ["continuations", "uri=rho%3Archain%3AasiVault"],
  ["continuations", "uri=rho%3Aregistry%3Alookup"],
  ["joins", "uri=rho%3Archain%3Apos"],
  ["data", "name=%22an%20unused%20name%22"],
  ["joins", "deployerId=04"],
] as const;

for (const chain of usualChains("solo", "merge"))
  describe(`the states of ${chain}`, () => {
    let node: TestQueries;
    let server: FastifyInstance;
    let origin: string;
    let blocks: readonly RecordedBlockFacts[];

    beforeAll(async () => {
      node = await TestQueries.recorded(chain);
      server = createHttpServer({ queries: node.queries(), metrics: async () => "" });
      await server.listen({ host: "127.0.0.1", port: 0 });
      origin = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
      const all = recordedBlocks(chain).map(({ facts }) => facts);
      // Genesis, the last one, and some between, above all those with several parents.
      const step = Math.ceil(all.length / 6);
      blocks = all.filter(({ parents }, index) => index % step === 0 || index === all.length - 1 || parents.length > 2);
    });
    afterAll(async () => {
      await server?.close();
      await node?.[Symbol.asyncDispose]();
    });

    async function asked<T>(path: string, body?: object): Promise<T> {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const answer = await fetch(origin + path, init);
      const json = (await answer.json()) as T;
      expect([answer.status, json]).toEqual([200, json]);
      return json;
    }

    test("are proved from the recorded hash of every block, before and after it", async () => {
      for (const { hash, preState, postState } of blocks) {
        const trusted = { blockHash: fromHex(hash) };
        for (const [state, root] of [
          ["post", postState],
          ["pre", preState],
        ] as const)
          for (const [kind, name] of questions) {
            // The registry has nothing before genesis.
            if (hash === blocks[0]!.hash && state === "pre" && /rchain/.test(name)) continue;
            const path = `/v2/state/${hash}/${kind}?${name}&state=${state}&proof=true&anchor=block`;
            const { proof, count, ...rest } = await asked<Entries>(path);
            const proven = verifyStateProof(proof, trusted, undefined, rnodeProofs);
            expect([rest.root, proven.isPresent, proven.items.kind]).toEqual([root, count > 0, kind]);
            const { block: _, ...bare } = proof;
            expect(verifyStateProof(bare, { root: fromHex(root) }, undefined, rnodeProofs).isPresent).toBe(count > 0);
            if (preState !== postState) {
              const other = fromHex(state === "post" ? preState : postState);
              expect(() => verifyStateProof(bare, { root: other }, undefined, rnodeProofs)).toThrow(StateProofError);
            }
          }
      }
    });

    test("are explored at every block, also where parents were merged", async () => {
      const term = `
        new return, lookup(\`rho:registry:lookup\`), posCh in {
          lookup!(\`rho:rchain:pos\`, *posCh) | for (@(_, pos) <- posCh) { @pos!("getBonds", *return) }
        }`;
      for (const { hash, bonds } of blocks) {
        const { results, outcome } = await asked<{
          readonly outcome: string;
          readonly results: readonly [{ readonly expr: { readonly ExprMap: { readonly data: object } } }];
        }>("/v2/explore", { term, block: hash });
        expect(outcome).toBe("values");
        const stakes = bonds.map(({ validator, stake }) => [validator, { ExprInt: { data: stake } }]);
        expect(results[0].expr.ExprMap.data).toEqual(Object.fromEntries(stakes));
        const before = await asked<{ readonly outcome: string }>("/v2/explore", { term, block: hash, state: "pre" });
        expect(before.outcome).toBe("values");
      }
    });

    // Vaults of our own contracts can be read.
    if (chain !== ownChain)
      test("keep balances where only their own contracts know", async () => {
        const address = "1111R4PGFk5wHNzjx8VzEHZG7Z4ikxcCgH9RMaM441gi8LfQohYG2";
        const answer = await fetch(`${origin}/v2/state/finalized/data?vault=${address}`);
        const problem = (await answer.json()) as { readonly field: string; readonly detail: string };
        expect([answer.status, problem.field]).toEqual([400, "query.vault"]);
        expect(problem.detail).toMatch(/keep balances on private names/);
      });
  });
