import { execFile } from "node:child_process";
import { checkProof, type VerifyProofCommand } from "@vedette/cli";
import { rnodeProofs, StateProofError, verifyStateProof, verifyVaultBalance } from "@vedette/client/proof";
import { fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { encodePar, GInt, parOfExpr } from "@vedette/terms";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Ask,
  ask,
  endStateNode,
  entries,
  facts,
  file,
  last,
  type Problem,
  shownText,
  startStateNode,
  text,
} from "./askedStates.js";

beforeAll(startStateNode);
afterAll(endStateNode);

describe("what a state holds below a name", () => {
  test("data, with how they were sent", async () => {
    const json = await entries("latest/data", { query: { name: '"greeting"' } });
    expect(json).toEqual({
      root: last().root,
      block: { blockHash: last().hash, blockNumber: 2, state: "post" },
      names: [{ ...shownText("greeting"), bytes: toHex(encodePar(text("greeting"))) }],
      entries: [
        {
          values: [shownText("hello"), { expr: { ExprInt: { data: 1 } }, rholang: "1" }],
          isPersistent: false,
        },
        {
          values: [
            { expr: { ExprMap: { data: { to: { ExprString: { data: "world" } } } } }, rholang: '{"to" : "world"}' },
          ],
          isPersistent: true,
        },
      ],
      count: 2,
    });
  });

  test("continuations of several names in any order, and joins", async () => {
    for (const name of [
      ['"left"', '"right"'],
      ['"right"', '"left"'],
    ]) {
      const waiting = await entries("latest/continuations", { query: { name } });
      expect(waiting.entries.map(({ body, isPersistent }) => [body, isPersistent])).toEqual([
        [{ expr: null, rholang: '@{"sum"}!((x0 + x1))' }, false],
      ]);
    }
    const contract = await entries("latest/continuations", { query: { name: '"twice"' } });
    expect(contract.entries).toEqual([
      {
        binds: [
          {
            patterns: [
              { expr: null, rholang: "free0" },
              { expr: null, rholang: "free1" },
            ],
            hasRemainder: false,
          },
        ],
        body: { expr: null, rholang: "@{x1}!((2 * x0))" },
        isPersistent: true,
        peeks: [],
      },
    ]);
    const joins = await entries("latest/joins", { query: { name: '"left"' } });
    expect(joins.entries).toEqual([{ names: [shownText("left"), shownText("right")] }]);
  });

  test("a state is found by its root, its block, and before its block", async () => {
    const query = { name: '"greeting"' };
    expect((await entries(`${last().root}/data`, { query })).block).toBeNull();
    expect((await entries(`${last().root.toUpperCase()}/data`, { query })).count).toBe(2);
    expect((await entries(`${last().hash}/data`, { query })).count).toBe(2);
    const before = await entries(`${last().hash}/data`, { query: { ...query, state: "pre" } });
    expect([before.root, before.count]).toEqual([facts.blocks[1]!.root, 0]);
    expect((await entries("finalized/data", { query })).root).toBe(facts.blocks[1]!.root);
  });

  test("a name can be given in many ways", async () => {
    const listed = toHex(encodePar(parOfExpr(new GInt(7n))));
    const ways: readonly (readonly [Record<string, string>, unknown])[] = [
      [{ name: "@{7}" }, { ExprInt: { data: 7 } }],
      [{ par: listed }, { ExprInt: { data: 7 } }],
      [{ private: "0a0b" }, { ExprUnforg: { data: { UnforgPrivate: { data: "0a0b" } } } }],
      [{ deployId: "0C" }, { ExprUnforg: { data: { UnforgDeploy: { data: "0c" } } } }],
      [{ deployerId: "04" }, { ExprUnforg: { data: { UnforgDeployer: { data: "04" } } } }],
      [{ uri: "rho:registry:lookup" }, { ExprUnforg: { data: { UnforgPrivate: { data: "0e" } } } }],
    ];
    for (const [way, expr] of ways) {
      const byQuery = await entries("latest/data", { query: way });
      const byBody = await entries("latest/data", { body: { names: [way] } });
      expect(byQuery.names).toMatchObject([{ expr }]);
      expect(byBody).toEqual(byQuery);
    }
    const { names, count } = await entries("latest/continuations", {
      query: { uri: "rho:rchain:asiVault", limit: "1" },
    });
    expect(names).toMatchObject([{ expr: { ExprUnforg: { data: { UnforgPrivate: {} } } } }]);
    expect(count).toBeGreaterThan(1);
  });

  test("final answers may be cached", async () => {
    const query = { name: '"greeting"' };
    const settled = await ask(`/v2/state/${last().hash}/data`, { query });
    expect(settled.headers["cache-control"]).toMatch(/immutable/);
    const moving = await ask("/v2/state/latest/data", { query });
    expect(moving.headers["cache-control"]).toBe("no-cache");
  });
});

describe("proofs", () => {
  const questions = [
    ["data", ["greeting"]],
    ["data", ["absent"]],
    ["joins", ["left"]],
    ["joins", ["greeting"]],
    ["continuations", ["left", "right"]],
    ["continuations", ["twice"]],
    ["continuations", ["left"]],
  ] as const;

  for (const [kind, names] of questions)
    test(`of ${kind} at ${names.join(" & ")} hold for a trusted root and for a trusted block`, async () => {
      const query = { name: names.map((name) => JSON.stringify(name)), proof: "true", anchor: "block" };
      const { proof, count } = await entries(`${last().hash}/${kind}`, { query });
      const asked = { kind, channels: names.map((name) => encodePar(text(name))) };
      for (const trusted of [{ root: fromHex(last().root) }, { blockHash: fromHex(last().hash) }]) {
        const { items, isPresent, block } = verifyStateProof(proof, trusted, asked, rnodeProofs);
        const found = items.kind === "data" ? items.data : items.kind === "joins" ? items.joins : items.continuations;
        expect([found.length, isPresent, block?.number]).toEqual([count, count > 0, 2n]);
      }
      expect(() => verifyStateProof(proof, { root: fromHex(facts.blocks[1]!.root) }, undefined, rnodeProofs)).toThrow(
        StateProofError,
      );
      const bare = await entries(`${last().root}/${kind}`, { query: { ...query, anchor: "root" } });
      expect(bare.proof.block).toBeUndefined();
      expect(verifyStateProof(bare.proof, { root: fromHex(last().root) }, asked, rnodeProofs).isPresent).toBe(
        count > 0,
      );
    });

  test("of balances hold, whether there is a vault or not", async () => {
    const query = { vault: facts.address, proof: "true", anchor: "block" };
    const { proof } = await entries(`${last().hash}/data`, { query });
    expect(verifyVaultBalance(proof, { blockHash: fromHex(last().hash) }, facts.address, rnodeProofs)).toBe(12_345n);
    const unused = vaultAddressOfPublicKey(new Uint8Array(65))!;
    expect(() => verifyVaultBalance(proof, { root: fromHex(last().root) }, unused, rnodeProofs)).toThrow(
      /another question/,
    );
    const none = await entries("latest/data", { query: { ...query, vault: unused } });
    expect(verifyVaultBalance(none.proof, { root: fromHex(last().root) }, unused, rnodeProofs)).toBeUndefined();
  });

  test("begin at the state before a block too", async () => {
    const query = { name: '"greeting"', proof: "true", anchor: "block", state: "pre" };
    const { proof } = await entries(`${last().hash}/data`, { query });
    const proven = verifyStateProof(proof, { blockHash: fromHex(last().hash) }, undefined, rnodeProofs);
    expect([proven.isPresent, proven.block?.state]).toEqual([false, "pre"]);
  });

  test("are checked at the command line", async () => {
    const query = { name: '"greeting"', proof: "true", anchor: "block" };
    const answer = JSON.stringify(await entries(`${last().hash}/data`, { query }));
    const [code, output] = await verify(answer, "--block-hash", last().hash, "--name", '"greeting"', "--kind", "data");
    expect([code, output.split("\n")]).toEqual([
      0,
      [
        "The proof holds.",
        `state  ${last().root}`,
        `block  ${last().hash} (2), post-state`,
        'name   @{"greeting"}',
        "data: 2",
        '  !("hello", 1)',
        '  !!({"to" : "world"})',
        "",
      ],
    ]);
    const here = (proof: string, options: Partial<VerifyProofCommand> = {}): readonly [number, string] => {
      const lines: string[] = [];
      const trusted = { root: fromHex(last().root) };
      const asked = { names: [], kind: undefined, dialect: "rnode" as const, json: false };
      const command = { text: proof, trusted, ...asked };
      const exit = checkProof({ command: "verify-proof", ...command, ...options }, (line) => lines.push(line));
      return [exit, lines.join("\n")];
    };
    expect(JSON.parse(here(answer, { json: true })[1])).toMatchObject({ holds: true, kind: "data", isPresent: true });
    const refusals: readonly (readonly [string, RegExp, Partial<VerifyProofCommand>?])[] = [
      [answer, /is about the state .* not about the trusted/, { trusted: { root: fromHex(last().hash) } }],
      [answer, /answers another question/, { names: ['"other"'] }],
      [answer, /answers another question/, { kind: "joins" }],
      [answer.replace(/"leaf":"../, '"leaf":"00'), /leaf does not have the hash/],
      ["{", /is no JSON/],
      ["null", /JSON must be an object/],
    ];
    for (const [proof, words, options] of refusals) {
      const [refused, reason] = here(proof, options);
      expect([refused, reason]).toEqual([1, expect.stringMatching(/^The proof does not hold: /)]);
      expect(reason).toMatch(words);
      expect(JSON.parse(here(proof, { ...options, json: true })[1])).toMatchObject({ holds: false });
    }
  });
});

function verify(input: string, ...options: readonly string[]): Promise<readonly [number, string]> {
  return new Promise((resolve) => {
    const command = [file("../../program/cli/bin/vedette.js"), "verify-proof", "-", ...options];
    const child = execFile(process.execPath, command, (error, stdout) => {
      resolve([error === null ? 0 : Number(error.code), stdout]);
    });
    child.stdin!.end(input);
  });
}

describe("questions that cannot be answered", () => {
  const name = '"greeting"';
  const refusals: readonly (readonly [string, Ask, number, string | undefined, RegExp])[] = [
    ["abc/data", { query: { name } }, 400, "params.root", /at least 6 hexadecimal digits/],
    [`${"ab".repeat(32)}/data`, { query: { name } }, 404, "params.root", /oldest state here is that of block 1/],
    [`${"ab".repeat(32)}/data`, { query: { name, state: "pre" } }, 404, "params.root", /has no block abab/],
    [
      `${"ab".repeat(32)}/data`,
      { query: { name, anchor: "block", proof: "true" } },
      400,
      "query.anchor",
      /needs a block/,
    ],
    ["latest/data", {}, 400, "query", /must have a name/],
    ["latest/data", { query: { name: ['"a"', '"b"'] } }, 400, "query", /has 2 names/],
    ["latest/data", { query: { name: "new x in {" } }, 400, "query.name", /cannot be compiled/],
    ["latest/data", { query: { name: "x" } }, 400, "query.name", /cannot be compiled/],
    ["latest/data", { query: { par: "ff" } }, 400, "query.par", /are no Par/],
    ["latest/data", { query: { par: "0" } }, 400, "query.par[0]", /even number of hex digits/],
    ["latest/data", { query: { uri: "rho:nothing:there" } }, 400, "query.uri", /no name/],
    ["latest/data", { query: { uri: "` | @1!(1)" } }, 400, "query.uri", /no URI has/],
    ["latest/data", { query: { vault: "1111" } }, 400, "query.vault", /no address of a vault/],
    ["latest/data", { query: { name, limit: "-1" } }, 400, "query.limit", /at least 0/],
    ["latest/data", { query: { name, limit: "1001" } }, 400, "query.limit", /at most 1000/],
    ["latest/data", { query: { name, proof: "yes" } }, 400, "query.proof", /true or false/],
    ["latest/data", { query: { name, nmae: "1" } }, 400, "query.nmae", /not known/],
    ["latest/data", { body: {} }, 400, "body.names", /is missing/],
    ["latest/data", { body: { names: [] } }, 400, "body.names", /at least 1/],
    ["latest/data", { body: { names: [{ nom: "1" }] } }, 400, "body.names[0]", /./],
    ["latest/data", { body: { names: [{ name: "new" }] } }, 400, "body.names[0]", /cannot be compiled/],
    ["latest/data", { body: { names: Array.from({ length: 17 }, () => ({ name })) } }, 400, "body.names", /at most 16/],
    ["latest/nothing", { query: { name } }, 404, undefined, /no such route/],
  ];

  test.each(refusals)("%s %j", async (path, question, status, field, words) => {
    const answer = await ask<Problem>(`/v2/state/${path}`, question);
    expect([answer.status, answer.json.status]).toEqual([status, status]);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    if (field !== undefined) expect(answer.json.field).toMatch(field);
    expect(answer.json.detail).toMatch(words);
  });

  test("a state that a snapshot did not bring is named, with the oldest that is there", async () => {
    const { json } = await ask<Problem>(`/v2/state/${facts.blocks[0]!.hash}/data`, { query: { name } });
    expect(json.detail).toBe(
      `The state ${"ee".repeat(32)} is not on this node: the oldest state here is that of block 1 (${facts.blocks[1]!.hash}); a node that began with a snapshot, or keeps few (storage.state-retention), has no older ones.`,
    );
  });
});
