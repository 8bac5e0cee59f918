// Covers: api, queries, server
import { readFileSync } from "node:fs";
import { connect } from "node:http2";
import { join } from "node:path";
import { fromBinary } from "@bufbuild/protobuf";
import { DeployService, ProposeService } from "@vedette/api/grpc";
import type { NodeProcess } from "@vedette/cli/testing";
import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import {
  answerOf,
  beginCall,
  expectRecordedAnswer,
  expectRecordedCall,
  framed,
  isCompared,
  type ReceivedEvent,
  type RecordedCall,
  recordedAnswers,
  recordedCalls,
  ServerSentClient,
  titleOf,
  titleOfCall,
  WebSocketClient,
} from "@vedette/server/testing";
import { recordedDirectory } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "../network/recordedNetwork.js";
import { asObserver, refusalByObserver } from "./observerAnswers.js";

/** A block of the recording, in rnode's form. */
interface RecordedBlock {
  readonly hash: string;
  readonly number: number;
  readonly seqNum: number;
  readonly sender: string;
  readonly parents: readonly string[];
  readonly preState: string;
  readonly postState: string;
  readonly deploys: readonly {
    readonly id: string;
    readonly cost: number;
    readonly failed: boolean;
    readonly systemError: string | null;
  }[];
}

const answers = recordedAnswers();
const calls = recordedCalls();

/** The private key of the recorded network's validator. */
const validatorKey = toHex(blake2b256(new TextEncoder().encode("vedette test key v1")));
const asRecorded = ["--min-phlo-price=1", "--api-enable-reporting"];

/** The facts of the node itself: its address and its peers. */
const isOwnStatus = ({ method }: RecordedCall) => method === "status";

describe(`processes that hold the recorded chain`, () => {
  let network: RecordedNetwork;
  let validator: NodeProcess;
  let observer: NodeProcess;
  const nodes = () => ({ "a validator": validator, "an observer": observer });

  beforeAll(async () => {
    network = new RecordedNetwork("solo");
    validator = await network.serve([...asRecorded, "--dev-mode", `--validator-private-key=${validatorKey}`]);
    observer = await network.observer("replayAll", "observer", asRecorded);
    await untilSynced(observer, validator);
  });

  afterAll(async () => {
    await network?.[Symbol.asyncDispose]();
  });

  describe.each(["a validator", "an observer"] as const)("%s answers as recorded", (role) => {
    for (const [index, recording] of answers.entries()) {
      const wanted = role === "an observer" ? asObserver(recording) : recording;
      // The version is a text of its own there; it is a member elsewhere, where it is compared as one.
      if (wanted === undefined || !isCompared(recording) || recording.path === "/version") continue;
      // With reports switched on the observer has routes for them.
      if (role === "an observer" && /\/(trace|transactions)\b/.test(recording.path)) continue;
      test(`${index + 1}: ${titleOf(recording)}`, async () => {
        const { http, adminHttp } = nodes()[role].ports;
        await expectRecordedAnswer(wanted, { ports: { public: http, admin: adminHttp }, isTheRecorded: false });
      });
    }

    for (const call of calls) {
      if (isOwnStatus(call)) continue;
      const refusal = role === "an observer" ? refusalByObserver(call) : undefined;
      // An observer's answers about events are not recorded.
      if (role === "an observer" && call.method === "getEventByHash") continue;
      test(titleOfCall(call), async () => {
        const { grpcExternal, grpcInternal } = nodes()[role].ports;
        const session = connect(`http://127.0.0.1:${call.port === "external" ? grpcExternal : grpcInternal}`);
        try {
          if (refusal === undefined) await expectRecordedCall(call, session);
          else expect(await refusalOf(call, session)).toEqual(refusal);
        } finally {
          session.close();
        }
      });
    }
  });

  test("the status describes this node in rnode's form", async () => {
    const status = JSON.parse(await observer.get("/status"));
    expect(Object.keys(status)).toEqual(["address", "version", "peers", "nodes", "peerList", "syncStatus"]);
    expect(status.peerList[0].isConnected).toBe(true);
    expect(status.syncStatus).toMatchObject({ phase: "following", blockNumber: blocks().at(-1)!.number });
    expect(await observer.get("/version")).toBe(status.version);
    expect(await observer.get("/metrics")).toMatch(/^rchain_comm_rp_connect_peers 1\.0\s*$/m);
  });

  test("the newest block comes first at the root, too", async () => {
    expect(await observer.get("/blocks")).toBe(await observer.get("/api/blocks"));
  });

  test("an observer reports what each block of the chain did", async () => {
    for (const { hash, deploys } of [blocks()[1]!, blocks().at(-1)!]) {
      const { type, report } = JSON.parse(await observer.get(`/api/trace?blockHash=${hash}`));
      expect([type, report["block-info"].blockHash]).toEqual(["block-traces-report", hash]);
      expect(JSON.stringify(report)).toContain(deploys[0]!.id);
      const { data } = JSON.parse(await observer.get(`/api/transactions/${hash}`));
      expect(Array.isArray(data)).toBe(true);
    }
  });

  test("rnode's events are sent for every block, as far back as it keeps them", async () => {
    await using client = await WebSocketClient.connect(observer.ports.http, "/ws/events");
    const all = blocks().slice(1);
    const received = await client.until((messages) => messages.length > 2 * all.length);
    expect(received[0]).toEqual({ event: "started", "schema-version": 1 });
    for (const event of ["block-added", "block-finalised"]) {
      const payloads = received.filter((message) => message["event"] === event).map((message) => message["payload"]);
      expect(payloads).toMatchObject(
        all.map(({ hash, parents, sender, seqNum, deploys }) => ({
          "block-hash": hash,
          "parent-hashes": parents,
          deploys: deploys.map(({ id, cost, failed }) => ({ id, cost, errored: failed })),
          creator: sender,
          "seq-num": seqNum,
        })),
      );
    }
  });

  test("every kind of event that the chain has is sent as rnode recorded it", async () => {
    const all = blocks();
    const deploys = all.slice(1).flatMap((block) => block.deploys.map((deploy) => ({ ...deploy, block })));
    const done = deploys.filter(({ failed, systemError }) => !failed && systemError === null);
    const received = await eventsUntil("/v2/events?after=oldest", (events) => {
      return events.filter(({ kind }) => kind === "deployFinalized").length === done.length;
    });
    const of = (kind: string) => received.filter((event) => event.kind === kind);
    const expectedBlocks = all.map(({ hash, number, seqNum, sender, parents, preState, postState }) => {
      const states = { preStateHash: preState, postStateHash: postState };
      return { blockHash: hash, blockNumber: number, seqNum, sender, parents, ...states };
    });
    expect(of("chainStarted")).toMatchObject([expectedBlocks[0]]);
    expect(of("blockAdded")).toMatchObject(expectedBlocks.slice(1));
    expect(of("blockFinalized")).toMatchObject(expectedBlocks.slice(1));
    const expected = (some: typeof deploys) =>
      some.map(({ id, cost, failed, block }) => {
        return { deployId: id, cost: String(cost), errored: failed, blockHash: block.hash, blockNumber: block.number };
      });
    expect(of("deployIncluded")).toMatchObject(expected(deploys));
    expect(of("deployFinalized")).toMatchObject(expected(done));
    // Nothing went wrong on this chain.
    expect([of("blockInvalid"), of("blockOrphaned")]).toEqual([[], []]);
    const ids = new Set(deploys.map(({ id }) => id));
    expect(of("transfer").length).toBeGreaterThan(0);
    for (const { deployId } of of("transfer")) expect(ids).toContain(deployId);
  });

  test("sends on a watched name are reported, from the blocks that rnode reports for it", async () => {
    const call = calls.find(({ method, request }) => {
      return method === "listenForDataAtName" && JSON.stringify(request).includes('"left-2"');
    })!;
    const { message } = fromBinary(DeployService.method.listenForDataAtName.output, fromHex(call.responses![0]!));
    const reported = message.case === "payload" ? message.value.blockInfo.map(({ block }) => block!.blockHash) : [];
    expect(reported.length).toBeGreaterThan(0);
    const received = await eventsUntil("/v2/events?after=oldest&name=text%3Aleft-2", (events) => {
      return reported.some((hash) => events.some(({ blockHash }) => blockHash === hash));
    });
    const sent = received.filter(({ kind }) => kind === "dataSent");
    expect(sent.length).toBeGreaterThan(0);
  });

  async function eventsUntil(path: string, isEnough: (events: readonly ReceivedEvent[]) => boolean) {
    await using client = await ServerSentClient.connect(observer.ports.http, path);
    return await client.until(isEnough);
  }
});

/** @returns the messages of the error that is answered */
async function refusalOf(call: RecordedCall, session: ReturnType<typeof connect>): Promise<readonly string[]> {
  const stream = beginCall(session, `/${call.service}/${call.method}`);
  const answered = answerOf(stream);
  stream.end(framed(fromHex(call.requestBytes)));
  const { messages } = await answered;
  const method = [...DeployService.methods, ...ProposeService.methods].find(({ name }) => name === call.method)!;
  const { message } = fromBinary(method.output, messages[0]!) as unknown as {
    readonly message: { readonly case: string; readonly value: { readonly messages: readonly string[] } };
  };
  return message.case === "error" ? message.value.messages : [];
}

function blocks(): RecordedBlock[] {
  return readFileSync(join(recordedDirectory("chains"), "solo", "blocks.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
