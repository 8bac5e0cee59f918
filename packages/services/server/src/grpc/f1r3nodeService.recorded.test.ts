import { DeployFinalizationStateProto } from "@vedette/api/grpc";
import { toHex } from "@vedette/crypto";
import { f1r3node } from "@vedette/protocol";
import { TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";

describe("gRPC on an f1r3node network", () => {
  let node: TestQueries;
  let grpc: GrpcTest;
  beforeAll(async () => {
    node = await TestQueries.recorded("solo-r", f1r3node);
    grpc = await GrpcTest.start(node.queries());
  });
  afterAll(async () => {
    await grpc?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  const blocks = () => [...node.chain.dag.blocksByHeight(1n, 40n)].map(({ hash }) => toHex(hash));

  test("blocks have what their deploys moved, deploys how final they are", async () => {
    const client = grpc.deploys();
    let [moved, found] = [0, 0];
    for (const hash of blocks()) {
      const { message } = await client.getBlock({ hash });
      if (message.case !== "blockInfo") throw new TypeError(message.case);
      expect(message.value.blockInfo?.isFinalized).toBe(true);
      for (const { sig, errored, transfers, transfersAvailable } of message.value.deploys) {
        expect(transfersAvailable).toBe(true);
        for (const { success, failReason, fromAddr } of transfers) {
          expect([success, fromAddr.slice(0, 4)]).toEqual([failReason === "", "1111"]);
          moved += 1;
        }
        const { message: at, ...fate } = await client.findDeploy({ deployId: Buffer.from(sig, "hex") });
        expect(at.case === "blockInfo" && at.value.blockHash).toBe(hash);
        const { DEPLOY_STATE_FINALIZED, DEPLOY_STATE_PENDING } = DeployFinalizationStateProto;
        // A failed deploy may still come by another block, and an unpaid one is done.
        expect(fate).toMatchObject({
          ...{ finalizationState: errored ? DEPLOY_STATE_PENDING : DEPLOY_STATE_FINALIZED, rejectionCount: 0 },
        });
        found += 1;
      }
    }
    expect([moved > 0, found]).toEqual([true, 116]);
  });

  test("what lies on a name is found by the hashes of the chain", async () => {
    const client = grpc.deploys();
    let found = 0;
    for (const hash of blocks()) {
      const { message } = await client.getBlock({ hash });
      for (const { deployer, timestamp } of message.case === "blockInfo" ? message.value.deploys : []) {
        const { message: names } = await client.previewPrivateNames({
          ...{ user: Buffer.from(deployer, "hex"), timestamp, nameQty: 3 },
        });
        for (const id of names.case === "payload" ? names.value.ids : []) {
          const par = { unforgeables: [{ unfInstance: { case: "gPrivateBody" as const, value: { id } } }] };
          const { message: data } = await client.getDataAtName({ par, blockHash: hash });
          if (data.case === "payload") found += data.value.par.length;
          else expect(data.value).toMatchObject({ messages: ["None.get"] });
        }
      }
    }
    expect(found).toBeGreaterThan(0);
  });

  test("a key that is none is refused, and a lack of depth is not", async () => {
    const client = grpc.deploys();
    const { message } = await client.bondStatus({ publicKey: new Uint8Array(32) });
    expect(message).toMatchObject({ case: "error", value: { messages: [expect.stringContaining("65 bytes")] } });
    const cases = [];
    for await (const one of client.getBlocks({ depth: 1_000 })) cases.push(one.message.case);
    expect(new Set(cases)).toEqual(new Set(["blockInfo"]));
    expect(cases.length).toBe(33);
  });
});
