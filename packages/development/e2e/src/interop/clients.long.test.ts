// Covers: api, network, server
import { fromBinary } from "@bufbuild/protobuf";
import { fromHex } from "@vedette/crypto";
import { skipNote } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CaseBook, type ReadyCase } from "./CaseBook.js";
import { type ClientCallResult, runClient } from "./ClientRun.js";
import { buildCommon, clientPrograms, whyNot } from "./clientPrograms.js";
import { Figures } from "./Figures.js";
import { type KeepAlives, keepAlives } from "./keepAlives.js";
import { groups, plannedCases } from "./plannedCases.js";
import { ServedNodes } from "./ServedNodes.js";
import { atValidator } from "./validatorCases.js";

/** One that is permitted, and two strikes, with nothing sent between them; the next is one too many (50 §3.1). */
const longestPermittedRun = 3;
/**
 * The node sees what it has sent by the bytes that have left it: a ping that meets an answer on its way is taken for one
 * before it, and one more is permitted then.
 */
const shortestAbuse = 5;
let sentAway = 0;
const reasons = new Map(clientPrograms.map((program) => [program, whyNot(program)]));
const present = clientPrograms.filter((program) => reasons.get(program) === undefined);
const figures = new Figures();
const waiting = new Map<string, Promise<KeepAlives>>();
let nodes: ServedNodes;
let book: CaseBook;
let cases: readonly ReadyCase[];

beforeAll(async () => {
  await buildCommon();
  await Promise.all(present.map((program) => figures.timed(`${program.name}: built`, program.build)));
  nodes = await figures.timed("nodes: a chain made and served", () => ServedNodes.start());
  book = new CaseBook(nodes.folder);
  cases = await book.ready(plannedCases(nodes.chain), nodes.reader);
  // These wait most of the time: all at once, beside everything else.
  for (const program of present) waiting.set(program.name, keepAlives(program, book, nodes));
});

afterAll(async () => {
  await Promise.allSettled(waiting.values());
  await nodes?.[Symbol.asyncDispose]();
  console.log(figures.text());
});

for (const program of clientPrograms) {
  const reason = reasons.get(program);
  describe.skipIf(reason !== undefined)(`${program.name}${skipNote(reason)}`, () => {
    const own = () =>
      cases.filter(({ isInternal, isEarly }) => (program.isGrpc || !isInternal) && !(program.isSmall && isEarly));
    let results: ReadonlyMap<string, readonly ClientCallResult[]>;

    beforeAll(async () => {
      const { folder } = nodes;
      const mine = own().map((one) => one.clientCase);
      results = await figures.timed(`${program.name}: all cases`, () => runClient(program, mine, { folder }));
      for (const one of own()) figures.count(program.name, one, results.get(one.name)!);
    });

    test.each(groups)("%s come as the node serves them, element by element", (group) => {
      for (const one of own().filter((some) => some.group === group))
        for (const call of results.get(one.name)!) expectCall(one, call);
    });

    test("a deploy is taken, a forged one is not, and a block is made of the first", async () => {
      const { id, accepted, refused, block } = await atValidator(program, book, nodes);
      expect(accepted).toBe(`Success! DeployId is: ${id}`);
      expect(refused).toContain("Invalid signature");
      if (!program.isGrpc) return;
      expect(block!.proposed).toBe(`Success! Block ${block!.hash} created and added.`);
      expect(block!.result).toBe(block!.proposed);
    });

    test("a client that checks an idle connection too often is sent away, one that does it as allowed is not", async () => {
      const { tooOften, allowed } = await waiting.get(program.name)!;
      for (const { calls } of [tooOften, allowed])
        expect(calls.map(({ status, text }) => [status, text])).toEqual([
          [0, ""],
          [0, ""],
        ]);
      // The node itself pings idle clients; some libraries count that as activity, and ping less often. And some
      // measure the line after each answer, which is allowed.
      const pings = `${tooOften.pings} (run of ${tooOften.longestRun}) and ${allowed.pings} pings`;
      figures.note(`${program.name}: ${pings}, sent away ${tooOften.goaways.length} times`);
      const isAbuse = tooOften.longestRun >= shortestAbuse;
      const mayBeAbuse = tooOften.longestRun > longestPermittedRun && tooOften.goaways.length > 0;
      if (isAbuse || mayBeAbuse) {
        expect(tooOften.goaways[0], pings).toBe("too_many_pings");
        expect(tooOften.connections).toBeGreaterThan(1);
        sentAway += 1;
      } else expect([tooOften.goaways, tooOften.connections], pings).toEqual([[], 1]);
      expect(allowed.pings).toBeGreaterThan(0);
      expect([allowed.goaways, allowed.connections]).toEqual([[], 1]);
    });
  });
}

test.skipIf(present.length === 0)("of all clients some are sent away", () => {
  expect(sentAway).toBeGreaterThan(0);
});

test("no connection and no call is left when all clients have gone", async () => {
  await Promise.allSettled(waiting.values());
  await expect.poll(() => openConnections()).toBe(0);
});

/** @throws AssertionError that names the case */
function expectCall({ name, expected, elements, served, clientCase, method }: ReadyCase, call: ClientCallResult): void {
  const { status, text } = call;
  if (expected === "asServed") {
    expect({ name, status, text, count: call.elements.length }).toEqual({
      ...{ name, status: 0, count: elements.length },
      text: expect.any(String),
    });
    if (clientCase.shows)
      expect(fromBinary(method.output, fromHex(call.shown))).toEqual(fromBinary(method.output, served[0]!));
    else expect(call.elements, name).toEqual(elements);
    return;
  }
  expect({ name, status, text }).toEqual({ name, status: expected.status, text: expect.any(String) });
  expect(call.elements.length, name).toBeGreaterThanOrEqual(expected.atLeast ?? 0);
}

async function openConnections(): Promise<number> {
  const lines = (await nodes.reader.get("/metrics")).split("\n");
  const numbers = lines.filter((line) => line.startsWith("vedette_grpc_connections{"));
  return numbers.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
