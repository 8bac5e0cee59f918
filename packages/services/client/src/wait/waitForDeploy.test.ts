import { DeployFinalizationStateProto } from "@vedette/api/grpc";
import { fromHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import { ClientError } from "../failure/ClientError.js";
import { NodeClient } from "../node/NodeClient.js";
import { FakeNode, type FakeServices } from "../testing/fakes/FakeNode.js";
import { blockFixture, deployFixture, lightBlockFixture } from "../testing/fakes/fixtures.js";
import { waitForDeploy, waitForFinalization, waitForFinalizedBlock } from "./waitForDeploy.js";

const deployId = fromHex("3045");
const unknown = {
  message: { case: "error" as const, value: { messages: ["Couldn't find block containing deploy with id: 3045"] } },
};
const inBlock = (blockHash: string) => ({
  message: { case: "blockInfo" as const, value: lightBlockFixture({ blockHash }) },
});
const finalized = (value: boolean) => ({ message: { case: "isFinalized" as const, value } });

/** Answers one after the other; the last one for ever. */
function inTurn<const T extends readonly unknown[]>(...answers: T): () => T[number] {
  let next = 0;
  return () => answers[Math.min(next++, answers.length - 1)];
}

async function withNode<T>(deploys: FakeServices["deploys"], run: (client: NodeClient) => Promise<T>): Promise<T> {
  await using node = await FakeNode.start({ deploys: deploys! });
  using client = new NodeClient({ host: node.host, port: node.port, retryPauseMs: 1, timeoutMs: 3_600_000 });
  return await run(client);
}

const quick = { timeoutMs: 3_600_000, pollMs: 1 };

test("a deploy is waited for until a block holds it", async () => {
  const findDeploy = inTurn(unknown, unknown, inBlock("01"));
  const block = await withNode({ findDeploy }, (client) => waitForDeploy(client, deployId, quick));
  expect(block.blockHash).toBe("01");
});

test("when another block takes a deploy up, that one counts", async () => {
  const seen: string[] = [];
  const isFinalized = ({ hash }: { hash: string }) => finalized(hash === "02");
  const findDeploy = inTurn(unknown, inBlock("01"), inBlock("01"), inBlock("02"));
  const onIncluded = ({ blockHash }: { blockHash: string }) => seen.push(blockHash);
  const getBlock = () => ({ message: { case: "blockInfo" as const, value: blockFixture({}, []) } });
  const block = await withNode({ findDeploy, isFinalized, getBlock }, (client) =>
    waitForFinalization(client, deployId, { ...quick, onIncluded }),
  );
  expect(block.blockHash).toBe("02");
  expect(seen).toEqual(["01", "02"]);
});

describe("what a merge gave up, on an f1r3node network", () => {
  const { DEPLOY_STATE_PENDING, DEPLOY_STATE_FINALIZED, DEPLOY_STATE_EXPIRED } = DeployFinalizationStateProto;
  const rejecter = "cc".repeat(32);
  const answer = (finalizationState: DeployFinalizationStateProto) => ({ ...inBlock("01"), finalizationState });
  /** It names the deploy for ever, whatever becomes of it later. */
  const naming: FakeServices["deploys"] = {
    isFinalized: () => finalized(true),
    getBlock: () => ({ message: { case: "blockInfo", value: blockFixture({}, [deployFixture({ sig: "3045" })]) } }),
    lastFinalizedBlock: () => ({ message: { case: "blockInfo", value: blockFixture({ blockNumber: 19n }, []) } }),
    async *getBlocksByHeights() {
      const value = lightBlockFixture({ blockHash: rejecter, blockNumber: 19n, rejectedDeploys: [{ sig: "3045" }] });
      yield { message: { case: "blockInfo", value } };
    },
  };

  test("comes again, and is waited for", async () => {
    // Waiting sends two requests each time: for the block, and for the outcome.
    const pending = Array.from({ length: 6 }, () => answer(DEPLOY_STATE_PENDING));
    const findDeploy = inTurn(...pending, answer(DEPLOY_STATE_FINALIZED));
    const block = await withNode({ ...naming, findDeploy }, (client) => waitForFinalization(client, deployId, quick));
    expect(block.blockHash).toBe("01");
  });

  test("is not waited for where it failed", async () => {
    const failing = blockFixture({}, [deployFixture({ sig: "3045", errored: true })]);
    const getBlock: NonNullable<FakeServices["deploys"]>["getBlock"] = () => ({
      message: { case: "blockInfo", value: failing },
    });
    const findDeploy = () => answer(DEPLOY_STATE_PENDING);
    const block = await withNode({ ...naming, getBlock, findDeploy }, (client) =>
      waitForFinalization(client, deployId, quick),
    );
    expect(block.blockHash).toBe("01");
  });

  test("has expired once its time is over, where no block names it", async () => {
    const findDeploy = inTurn(answer(DEPLOY_STATE_PENDING), answer(DEPLOY_STATE_PENDING), answer(DEPLOY_STATE_EXPIRED));
    const getBlocksByHeights: NonNullable<FakeServices["deploys"]>["getBlocksByHeights"] = async function* () {};
    const waiting = withNode({ ...naming, getBlocksByHeights, findDeploy }, (client) =>
      waitForFinalization(client, deployId, quick),
    );
    await expect(waiting).rejects.toMatchObject({ failure: { code: "deployExpired" } });
  });

  test("is rejected once its time is over", async () => {
    const findDeploy = inTurn(answer(DEPLOY_STATE_PENDING), answer(DEPLOY_STATE_PENDING), answer(DEPLOY_STATE_EXPIRED));
    const waiting = withNode({ ...naming, findDeploy }, (client) => waitForFinalization(client, deployId, quick));
    await expect(waiting).rejects.toMatchObject({ failure: { code: "deployRejected", rejectedBy: rejecter } });
  });
});

test("a block is waited for until it is finalized", async () => {
  const isFinalized = inTurn(finalized(false), finalized(false), finalized(true));
  await withNode({ isFinalized }, (client) => waitForFinalizedBlock(client, "01", quick));
});

test("the wait has an end, and the message explains how to go on", async () => {
  const waiting = withNode({ findDeploy: () => unknown }, (client) =>
    waitForDeploy(client, deployId, { timeoutMs: 40, pollMs: 10 }),
  );
  await expect(waiting).rejects.toThrow(/^The deploy was in no block within 0 s; .*--wait-timeout$/);
});

test("waiting ends when the caller interrupts", async () => {
  const controller = new AbortController();
  const findDeploy = () => {
    controller.abort();
    return unknown;
  };
  const waiting = withNode({ findDeploy }, (client) =>
    waitForDeploy(client, deployId, { timeoutMs: 600_000, pollMs: 600_000, signal: controller.signal }),
  );
  await expect(waiting).rejects.toMatchObject({ failure: { code: "cancelled" } });
});

test("a refusal ends the waiting at once", async () => {
  const findDeploy = () => ({ message: { case: "error" as const, value: { messages: ["Error: errorMessage"] } } });
  const waiting = withNode({ findDeploy }, (client) => waitForDeploy(client, deployId, quick));
  await expect(waiting).rejects.toThrow("Error: errorMessage");
});

test("a node that is joining again is waited for", async () => {
  const notRunning = { message: { case: "error" as const, value: { messages: ["Error: errorMessage"] } } };
  const findDeploy = inTurn(unknown, notRunning, notRunning, inBlock("01"));
  const block = await withNode({ findDeploy }, (client) => waitForDeploy(client, deployId, quick));
  expect(block.blockHash).toBe("01");
});

test("a node that is unreachable from the beginning is reported at once, one that restarts is waited for", async () => {
  const first = await FakeNode.start({ deploys: { findDeploy: () => unknown } });
  using client = new NodeClient({ host: first.host, port: first.port, retryPauseMs: 1, timeoutMs: 3_600_000 });
  let asked = 0;
  const gone = client.findDeploy.bind(client);
  client.findDeploy = async (id) => {
    asked += 1;
    if (asked === 2) await first[Symbol.asyncDispose]();
    return asked === 4 ? lightBlockFixture({ blockHash: "03" }) : gone(id);
  };
  expect((await waitForDeploy(client, deployId, quick)).blockHash).toBe("03");
  const failure = await waitForDeploy(client, deployId, quick).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ClientError);
  expect((failure as ClientError).failure.code).toBe("unreachable");
});
