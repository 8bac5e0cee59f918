import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { request } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { checkProof, type VerifyProofCommand } from "@vedette/cli";
import { StateProofError, type StateProofJson, verifyStateProof, verifyVaultBalance } from "@vedette/client/proof";
import { fromHex, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { encodePar, GInt, GString, type Par, parOfExpr } from "@vedette/terms";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const file = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

interface Facts {
  readonly port: number;
  /** The first one's state is not there. */
  readonly blocks: readonly { readonly hash: string; readonly root: string }[];
  readonly address: string;
}

interface Entries {
  readonly root: string;
  readonly block: unknown;
  readonly names: readonly unknown[];
  readonly entries: readonly { readonly [name: string]: unknown }[];
  readonly count: number;
  readonly proof: StateProofJson;
}

interface Problem {
  readonly status: number;
  readonly field: string;
  readonly detail: string;
}

let node: ChildProcess;
let facts: Facts;

beforeAll(async () => {
  node = spawn(process.execPath, [file("dist/state/stateNode.js")], { stdio: ["pipe", "pipe", "inherit"] });
  const [line] = (await once(createInterface(node.stdout!), "line")) as [string];
  facts = JSON.parse(line);
});
afterAll(async () => {
  if (node.exitCode !== null) return;
  node.stdin!.end();
  await once(node, "exit");
});

interface Ask {
  readonly query?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: unknown;
  /** From which of this machine's addresses. */
  readonly from?: string;
  readonly signal?: AbortSignal;
}

interface Answer<T> {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly json: T;
}

function ask<T>(path: string, { query = {}, body, from = "127.0.0.1", signal }: Ask = {}): Promise<Answer<T>> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, String(value)]),
    ),
  );
  const url = `http://127.0.0.1:${facts.port}${path}?${search}`;
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, localAddress: from, signal }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("end", () => {
        const text = Buffer.concat(parts).toString("utf8");
        resolve({ status: answer.statusCode!, headers: answer.headers, json: JSON.parse(text) as T });
      });
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const entries = async (path: string, question: Ask): Promise<Entries> => {
  const { status, json } = await ask<Entries>(`/v2/state/${path}`, question);
  expect([status, json]).toEqual([200, json]);
  return json;
};

const text = (value: string): Par => parOfExpr(new GString(value));
const shownText = (data: string) => ({ expr: { ExprString: { data } }, rholang: `"${data}"` });
const last = () => facts.blocks[2]!;

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
        const { items, isPresent, block } = verifyStateProof(proof, trusted, asked);
        const found = items.kind === "data" ? items.data : items.kind === "joins" ? items.joins : items.continuations;
        expect([found.length, isPresent, block?.number]).toEqual([count, count > 0, 2n]);
      }
      expect(() => verifyStateProof(proof, { root: fromHex(facts.blocks[1]!.root) })).toThrow(StateProofError);
      const bare = await entries(`${last().root}/${kind}`, { query: { ...query, anchor: "root" } });
      expect(bare.proof.block).toBeUndefined();
      expect(verifyStateProof(bare.proof, { root: fromHex(last().root) }, asked).isPresent).toBe(count > 0);
    });

  test("of balances hold, whether there is a vault or not", async () => {
    const query = { vault: facts.address, proof: "true", anchor: "block" };
    const { proof } = await entries(`${last().hash}/data`, { query });
    expect(verifyVaultBalance(proof, { blockHash: fromHex(last().hash) }, facts.address)).toBe(12_345n);
    const unused = vaultAddressOfPublicKey(new Uint8Array(65))!;
    expect(() => verifyVaultBalance(proof, { root: fromHex(last().root) }, unused)).toThrow(/another question/);
    const none = await entries("latest/data", { query: { ...query, vault: unused } });
    expect(verifyVaultBalance(none.proof, { root: fromHex(last().root) }, unused)).toBeUndefined();
  });

  test("begin at the state before a block too", async () => {
    const query = { name: '"greeting"', proof: "true", anchor: "block", state: "pre" };
    const { proof } = await entries(`${last().hash}/data`, { query });
    const proven = verifyStateProof(proof, { blockHash: fromHex(last().hash) });
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

interface Outcome {
  readonly outcome: string;
  readonly results: readonly unknown[];
  readonly error: string | null;
  readonly cost: string | null;
  readonly root: string;
  readonly block: unknown;
  readonly prints: readonly unknown[];
  readonly arePrintsCut: boolean;
  readonly trace: {
    readonly steps: readonly { readonly kind: string; readonly phlo: string }[];
    readonly parsingPhlo: string;
    readonly otherPhlo: string;
    readonly isCut: boolean;
  } | null;
}

const endless = "new l in { contract l(@n) = { l!(n + 1) } | l!(0) }";

describe("explorations", () => {
  const explore = async (body: object, others: Ask = {}): Promise<Outcome> => {
    const { status, json } = await ask<Outcome>("/v2/explore", { body, ...others });
    expect([status, json]).toEqual([200, json]);
    return json;
  };

  test("return every value, what it cost, and where it ran", async () => {
    const term = 'new return in { return!(1 + 2) | return!("x", 7) | for (@x, @_ <<- @"greeting") { return!(x) } }';
    const { results, cost, ...rest } = await explore({ term, block: "latest", bytes: true });
    expect(rest).toEqual({
      block: { blockHash: last().hash, blockNumber: 2, state: "post" },
      root: last().root,
      outcome: "values",
      error: null,
      prints: [],
      arePrintsCut: false,
      trace: null,
    });
    expect(results.map((result) => (result as { rholang: string }).rholang).sort()).toEqual(
      ['"hello"', '"x"', "3", "7"].sort(),
    );
    expect(results).toContainEqual({ expr: { ExprInt: { data: 3 } }, rholang: "3", bytes: "2a021006" });
    expect(Number(cost)).toBeGreaterThan(100);
  });

  test("return what the program printed, and its steps on request", async () => {
    const term = 'new return, out(`rho:io:stdout`) in { out!("a") | for (@x <- @"b") { return!(x) } | @"b"!(5) }';
    const traced = await explore({ term, trace: true });
    expect(traced).toMatchObject({
      outcome: "values",
      prints: [{ stream: "stdout", text: '"a"' }],
      arePrintsCut: false,
    });
    const { steps, parsingPhlo, otherPhlo, isCut } = traced.trace!;
    expect(steps.filter(({ kind }) => kind === "comm")).toContainEqual(
      expect.objectContaining({ channels: ['"b"'], data: [["5"]], receiver: { kind: "program", line: 1, column: 51 } }),
    );
    const phlo = [parsingPhlo, otherPhlo, ...steps.map((step) => step.phlo)];
    expect([isCut, String(phlo.reduce((sum, one) => sum + Number(one), 0))]).toEqual([false, traced.cost]);
    const failed = await explore({
      term: 'new x, out(`rho:io:stdout`) in { out!("so far") | x!(1 + "a") }',
      trace: true,
    });
    expect(failed).toMatchObject({ outcome: "failed", trace: { unfinished: [{ line: 1 }] } });
    const talks = "new l, out(`rho:io:stdout`) in { contract l(_) = { out!(1) | l!(1) } | l!(1) }";
    let stopped: Outcome | undefined;
    // It never ends, and is given as much time as it needs to print more than is kept.
    for (const timeoutMs of [300, 3_000, 20_000])
      if (stopped?.arePrintsCut !== true)
        stopped = await explore({ term: talks, trace: true, timeoutMs, phloLimit: 1_000_000_000 });
    expect(stopped).toMatchObject({ outcome: "stopped", trace: null, arePrintsCut: true });
    expect(stopped!.prints).toHaveLength(64);
  });

  test("run on the state before a block, and on old ones", async () => {
    const term = 'new return in { for (@x, @_ <<- @"greeting") { return!(x) } }';
    expect((await explore({ term, block: last().hash })).results).toHaveLength(1);
    expect((await explore({ term, block: last().hash, state: "pre" })).results).toEqual([]);
    expect((await explore({ term, block: facts.blocks[1]!.hash })).results).toEqual([]);
    expect((await explore({ term })).root).toBe(facts.blocks[1]!.root);
  });

  test("end with the program's error, its phlo, its time or its memory, and leave no trace", async () => {
    const grows = `new l in { contract l(@x, @n) = { match n { 0 => Nil _ => l!(x ++ x, n - 1) } } | l!("0123456789abcdef0123456789abcdef", 40) }`;
    const phloLimit = 1_000_000_000;
    const error = await explore({ term: 'new return in { return!(1 + "a") }' });
    expect(error).toMatchObject({ outcome: "failed", error: expect.stringMatching(/Operator/), results: [] });
    expect(Number(error.cost)).toBeGreaterThan(0);
    const phlo = await explore({ term: endless, phloLimit: 10_000 });
    expect(phlo).toMatchObject({ outcome: "failed", error: expect.stringMatching(/ran out of phlo/), cost: "10000" });
    const none = await explore({ term: "Nil", phloLimit: 0 });
    expect(none).toMatchObject({ outcome: "failed" });
    const time = await explore({ term: endless, phloLimit, timeoutMs: 200 });
    expect(time).toMatchObject({ outcome: "stopped", error: expect.stringMatching(/time was used up/), cost: null });
    const memory = await explore({ term: grows, phloLimit, timeoutMs: 20_000, memoryMb: 8 });
    expect(memory).toMatchObject({ outcome: "stopped", error: expect.stringMatching(/memory was used up/) });
    const syntax = await explore({ term: "new x in {" });
    expect(syntax).toMatchObject({ outcome: "failed", error: expect.stringMatching(/SyntaxError/) });
  });

  test("of a client that has gone end, and keep the next ones from nothing", async () => {
    const gone = new AbortController();
    // Together they would take longer than the next one waits.
    const lost = Array.from({ length: 4 }, () => {
      return explore({ term: endless, phloLimit: 1_000_000_000, timeoutMs: 20_000 }, { signal: gone.signal });
    });
    const next = explore({ term: "new return in { return!(1) }", timeoutMs: 20_000 });
    setTimeout(() => gone.abort(), 100);
    for (const outcome of await Promise.allSettled(lost))
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: expect.stringMatching(/abort/) } });
    expect((await next).outcome).toBe("values");
  });

  test("of one client wait for its own, not for those of another", async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const greedy = Array.from({ length: 20 }, () =>
      ask("/v2/explore", {
        body: { term: endless, phloLimit: 1_000_000_000, timeoutMs: 20_000 },
        signal: leave.signal,
      }).catch(() => undefined),
    );
    let finished = 0;
    for (const one of greedy) void one.then(() => (finished += 1));
    const other = await explore({ term: "new return in { return!(1) }" }, { from: "127.0.0.2" });
    expect(other.outcome).toBe("values");
    // Those that ran before the other came, and one that was running then.
    expect(finished).toBeLessThan(4);
    // Other questions do not wait for programs at all.
    expect((await entries("latest/data", { query: { name: '"greeting"' } })).count).toBe(2);
    leave.abort();
    await Promise.all(greedy);
  });

  test("beyond a client's share are refused for now", async () => {
    const leave = new AbortController();
    setMaxListeners(0, leave.signal);
    const body = { term: endless, phloLimit: 1_000_000_000 };
    const many = Array.from({ length: 130 }, () =>
      ask<Problem>("/v2/explore", { body, signal: leave.signal, from: "127.0.0.3" }),
    );
    const settled = Promise.allSettled(many);
    const refused = await Promise.any(
      many.map(async (one) => {
        const answer = await one;
        expect([answer.status, answer.headers["retry-after"]]).toEqual([429, "1"]);
        return answer.json.detail;
      }),
    );
    expect(refused).toMatch(/128 questions of your address/);
    expect((await explore({ term: "Nil" }, { from: "127.0.0.4" })).outcome).toBe("values");
    leave.abort();
    await settled;
    expect((await explore({ term: "Nil" }, { from: "127.0.0.3" })).outcome).toBe("values");
  });

  const refusals: readonly (readonly [object, number, string, RegExp])[] = [
    [{}, 400, "body.term", /is missing/],
    [{ term: 1 }, 400, "body.term", /must be a text/],
    [{ term: "Nil", block: "abc" }, 400, "body.block", /at least 6 hexadecimal digits/],
    [{ term: "Nil", block: "ab".repeat(32) }, 404, "body.block", /has no block/],
    [{ term: "Nil", state: "mid" }, 400, "body.state", /post/],
    [{ term: "Nil", phloLimit: -1 }, 400, "body.phloLimit", /at least 0/],
    [{ term: "Nil", phloLimit: "1000000001" }, 400, "body.phloLimit", /at most/],
    [{ term: "Nil", timeoutMs: 0 }, 400, "body.timeoutMs", /at least 1/],
    [{ term: "Nil", timeoutMs: 20_001 }, 400, "body.timeoutMs", /at most/],
    [{ term: "Nil", memoryMb: 1.5 }, 400, "body.memoryMb", /integer/],
    [{ term: "Nil", memory: 1 }, 400, "body.memory", /not known/],
  ];

  test.each(refusals)("refuse %j", async (body, status, field, words) => {
    const answer = await ask<Problem>("/v2/explore", { body });
    expect([answer.status, answer.json.field]).toEqual([status, field]);
    expect(answer.json.detail).toMatch(words);
  });

  test("on the state of a block that a snapshot did not bring are refused", async () => {
    const { status, json } = await ask<Problem>("/v2/explore", { body: { term: "Nil", block: facts.blocks[0]!.hash } });
    expect([status, json.field]).toEqual([404, "body.block"]);
    expect(json.detail).toMatch(/oldest state here is that of block 1/);
  });
});
