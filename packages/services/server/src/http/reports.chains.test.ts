import type { AddressInfo } from "node:net";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
  BlockEventInfoSchema,
  LightBlockInfoSchema,
  type Par as ParMessage,
  parOfMessage,
  type ReportConsumeProto,
  type ReportProduceProto,
  type ReportProto,
  type SingleReport,
} from "@vedette/api/grpc";
import { fromHex, toHex } from "@vedette/crypto";
import { printPar, TextWriter } from "@vedette/executor";
import type { ApiQueries } from "@vedette/queries";
import { TestQueries } from "@vedette/queries/testing";
import { chainsThatAreThere } from "@vedette/testing";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportMessage } from "../grpc/reportMessage.js";
import { createHttpServer } from "./server.js";

const transferChannelId = "72d0f333c719323406901bca34c2935e4d92c31402fa80a2c273422e923af550";

/** A term's JSON, as far as it is looked at. */
interface ParJson {
  readonly exprs: readonly { readonly exprInstance: { readonly [kind: string]: { readonly value: unknown } } }[];
  readonly unforgeables: readonly {
    readonly unfInstance: { readonly GPrivateBody?: { readonly value: { readonly id: string } } };
  }[];
}
interface ProduceJson {
  readonly channel: ParJson;
  readonly data: { readonly pars: readonly ParJson[]; readonly "random-state": object };
}
interface ConsumeJson {
  readonly channels: readonly ParJson[];
  readonly patterns: readonly { readonly patterns: readonly ParJson[]; readonly "free-count": number }[];
  readonly peeks: readonly { readonly "channel-index": number }[];
}
type EventJson =
  | { readonly type: "produce"; readonly value: ProduceJson }
  | { readonly type: "consume"; readonly value: ConsumeJson }
  | { readonly type: "comm"; readonly value: { readonly consume: ConsumeJson; readonly produces: ProduceJson[] } };
interface GroupJson {
  readonly events: readonly { readonly report: EventJson }[];
}
interface ReportJson {
  readonly deploys: readonly { readonly "deploy-info": { readonly sig: string }; readonly report: GroupJson[] }[];
  readonly "system-deploys": readonly {
    readonly "system-deploy": { readonly "system-deploy": { readonly type: string } };
    readonly report: GroupJson[];
  }[];
  readonly "post-state-hash": string;
}

describe.each(chainsThatAreThere("equivocation-v1"))("reports of blocks of %s", (name) => {
  let recorded: TestQueries;
  let queries: ApiQueries;
  let server: FastifyInstance;
  let address: string;
  beforeAll(async () => {
    recorded = await TestQueries.recorded(name);
    queries = recorded.queries({ isReporting: true });
    server = createHttpServer({ queries, metrics: async () => "", isReporting: true });
    await server.listen({ host: "127.0.0.1", port: 0 });
    address = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await server?.close();
    await recorded?.[Symbol.asyncDispose]();
  });

  /** Genesis, and some others of all heights. */
  const blocks = () =>
    [...recorded.chain.dag.blocksByHeight(0n, 1_000n)].filter((_, at) => at % 4 === 0).map(({ hash }) => hash);
  const ask = async (path: string) => {
    const answer = await fetch(`${address}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const traced = async (hash: Uint8Array, path = "/api/trace") => {
    const { status, text } = await ask(`${path}?blockHash=${toHex(hash)}`);
    expect([status, text.slice(0, 25)]).toEqual([200, '{"report":{"block-info":{']);
    return { text, report: JSON.parse(text).report as ReportJson };
  };

  test("lead to the state of the block, on both paths alike", async () => {
    for (const hash of blocks()) {
      const { text, report } = await traced(hash);
      expect(report["post-state-hash"]).toBe(toHex(recorded.chain.dag.require(hash).postStateHash));
      expect(text).toContain(`{"report":{"block-info":${queries.blocks.lightText(recorded.chain.dag.require(hash))},`);
    }
    const last = blocks().at(-1)!;
    expect((await traced(last, "/reporting/trace")).text).toBe((await traced(last)).text);
  });

  test("are the same as messages", async () => {
    for (const hash of blocks().slice(1)) {
      const { report } = await traced(hash);
      const messages = await queries.reports.messages(hash, false);
      const sent = reportMessage(messages, create(LightBlockInfoSchema, { blockHash: toHex(hash) }));
      const message = fromBinary(BlockEventInfoSchema, toBinary(BlockEventInfoSchema, sent));
      expect(message.blockInfo?.blockHash).toBe(toHex(hash));
      expect(toHex(message.postStateHash)).toBe(report["post-state-hash"]);
      expect(message.deploys.map(({ deployInfo }) => deployInfo?.sig)).toEqual(
        report.deploys.map((deploy) => deploy["deploy-info"].sig),
      );
      expect(message.deploys.map((deploy) => groupsOf(deploy.report))).toEqual(
        report.deploys.map((deploy) => deploy.report),
      );
      expect(message.systemDeploys.map((deploy) => groupsOf(deploy.report))).toEqual(
        report["system-deploys"].map((deploy) => deploy.report),
      );
      for (const { systemDeploy } of message.systemDeploys)
        expect(["slashSystemDeploy", "closeBlockSystemDeploy"]).toContain(systemDeploy?.systemDeploy.case);
    }
  });

  test("have the same transfers as the transactions", async () => {
    let found = 0;
    for (const hash of blocks()) {
      const { report } = await traced(hash);
      const expected = transactionsIn(report, toHex(hash));
      found += expected.length;
      const { status, text } = await ask(`/api/transactions/${toHex(hash)}`);
      expect([status, JSON.parse(text)]).toEqual([200, { data: expected }]);
      expect((await ask(`/transactions/${toHex(hash).toUpperCase()}`)).text).toBe(text);
    }
    expect(found).toBeGreaterThan(10);
  });

  test("are made again when that is asked for, and once for all who ask at the same time", async () => {
    const hash = blocks().at(-1)!;
    const known = await queries.reports.text(hash, false);
    const [one, other] = await Promise.all([queries.reports.text(hash, true), queries.reports.text(hash, true)]);
    expect(one).toEqual(known);
    expect(other).toEqual(known);
  });

  test("of blocks that are not there are refused", async () => {
    const nowhere = "ab".repeat(32);
    const refusal = { "error-message": `Block ${nowhere} not found`, type: "block-report-error" };
    expect(JSON.parse((await ask(`/api/trace?blockHash=${nowhere}`)).text)).toEqual(refusal);
    await expect(queries.reports.messages(fromHex(nowhere), false)).rejects.toThrow(`Block ${nowhere} not found`);
    for (const path of ["", "?blockHash=zz", "?forceReplay=true", `?blockHash=${nowhere}&forceReplay=yes`])
      expect(await ask(`/api/trace${path}`)).toEqual({ status: 404, text: "Not found" });
    for (const hash of [nowhere, "zz", "0", "%20", "a".repeat(3_000)])
      expect(await ask(`/api/transactions/${hash}`)).toEqual({ status: 200, text: '{"data":[]}' });
  });

  test("are empty on a node that does not report, and refused on a validator", async () => {
    const hash = blocks().at(-1)!;
    const silent = recorded.queries().reports;
    const stub = '"deploys":[],"system-deploys":[],"post-state-hash":"656d707479"';
    expect((await silent.text(hash, false)).members).toBe(stub);
    expect((await silent.transactions(hash)).text).toBe('{"data":[]}');
    expect((await silent.messages(hash, true)).deploys).toEqual([]);
    const role = { publicKey: new Uint8Array(65).fill(4), isInDevMode: true, isReporting: true };
    const validator = recorded.queries(role).reports;
    const refusal = "Block report can only be executed on read-only RNode.";
    await expect(validator.text(hash, false)).rejects.toThrow(refusal);
    await expect(validator.messages(new Uint8Array(32), false)).rejects.toThrow(refusal);
    expect((await validator.transactions(hash)).text).toBe('{"data":[]}');
  });

  test("before there is a chain are refused", async () => {
    const empty = TestQueries.empty().queries({ isReporting: true }).reports;
    await expect(empty.text(new Uint8Array(32), false)).rejects.toThrow("Error: Could not get event data.");
  });
});

function groupsOf(report: readonly SingleReport[]): GroupJson[] {
  return report.map(({ events }) => ({ events: events.map(({ report: event }) => ({ report: eventOf(event) })) }));
}

function eventOf({ case: type, value }: ReportProto["report"]): EventJson {
  switch (type) {
    case "produce":
      return { value: produceOf(value), type };
    case "consume":
      return { value: consumeOf(value), type };
    case "comm":
      return { value: { consume: consumeOf(value.consume!), produces: value.produces.map(produceOf) }, type };
    case undefined:
      throw new TypeError("an event of no kind");
  }
}

function produceOf({ channel, data }: ReportProduceProto): ProduceJson {
  return { channel: parOf(channel!), data: { pars: data!.pars.map(parOf), "random-state": {} } };
}

function consumeOf({ channels, patterns, peeks }: ReportConsumeProto): ConsumeJson {
  return {
    channels: channels.map(parOf),
    patterns: patterns.map((pattern) => ({
      patterns: pattern.patterns.map(parOf),
      remainder: pattern.remainder === undefined ? null : remainderOf(pattern.remainder.varInstance),
      "free-count": pattern.freeCount,
    })),
    peeks: peeks.map(({ channelIndex }) => ({ "channel-index": channelIndex })),
  };
}

function remainderOf({ case: kind, value }: { readonly case?: string | undefined; readonly value?: unknown }) {
  if (kind === "wildcard") return { varInstance: { Wildcard: { value: {} } } };
  return { varInstance: { [kind === "freeVar" ? "FreeVar" : "BoundVar"]: { value } } };
}

function parOf(message: ParMessage): ParJson {
  const out = new TextWriter(1 << 24);
  printPar(out, parOfMessage(message));
  return JSON.parse(out.text);
}

const partNames = [[], ["PreCharge"], ["PreCharge", "Refund"], ["PreCharge", "UserDeploy", "Refund"]];

/** By the rules of 41 §8.3, from the report as a client reads it. */
function transactionsIn(report: ReportJson, blockHash: string) {
  return [
    ...report.deploys.flatMap(({ report: groups, "deploy-info": { sig } }) =>
      groups.flatMap((group, part) =>
        transfersIn(group).map((transaction) => ({
          transaction,
          transactionType: { [partNames[groups.length]![part]!]: { deployId: sig } },
        })),
      ),
    ),
    ...report["system-deploys"].flatMap(({ report: groups, "system-deploy": { "system-deploy": systemDeploy } }) =>
      transfersIn(groups[0]!).map((transaction) => {
        const isSlash = systemDeploy.type === "slash-system-deploy";
        return { transaction, transactionType: { [isSlash ? "SlashingDeploy" : "CloseBlock"]: { blockHash } } };
      }),
    ),
  ];
}

function transfersIn({ events }: GroupJson) {
  return events.flatMap(({ report }) => {
    if (report.type !== "comm") return [];
    const { consume, produces } = report.value;
    if (privateId(consume.channels[0]!) !== transferChannelId) return [];
    const { pars } = produces[0]!.data;
    const answers = events.flatMap(({ report: one }) =>
      one.type === "produce" && JSON.stringify(one.value.channel) === JSON.stringify(pars[5])
        ? [one.value.data.pars[0]!]
        : [],
    );
    return [
      {
        fromAddr: valueIn(pars[0]!, "GString"),
        toAddr: valueIn(pars[2]!, "GString"),
        amount: valueIn(pars[3]!, "GInt"),
        retUnforgeable: pars[5],
        failReason: answers.map(failReason).at(-1) ?? null,
      },
    ];
  });
}

function failReason(answer: ParJson): unknown {
  const { ps } = valueIn(answer, "ETupleBody") as { readonly ps: readonly [ParJson, ParJson] };
  return valueIn(ps[0], "GBool") === true ? null : valueIn(ps[1], "GString");
}

function valueIn(par: ParJson, kind: string): unknown {
  return par.exprs[0]?.exprInstance[kind]?.value;
}

function privateId(par: ParJson): string | undefined {
  return par.unforgeables[0]?.unfInstance.GPrivateBody?.value.id;
}
