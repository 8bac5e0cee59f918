import { insertBlocks, TestQueries } from "@vedette/queries/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GrpcTest } from "../testing/grpcTest.js";

const node = TestQueries.onDisk();
insertBlocks(node.chain);
let server: GrpcTest;

beforeAll(async () => {
  server = await GrpcTest.start(node.queries());
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await node[Symbol.asyncDispose]();
});

test("names of any length are answered in rnode's words, and nothing goes wrong inside", async () => {
  const client = server.deploys();
  for (const bytes of [0, 1, 31, 33, 1_978, 1_979, 2_000]) {
    const hash = "ab".repeat(bytes);
    const shown = (text: string) => ({ case: "error", value: { messages: [text] } });
    const block = await client.getBlock({ hash });
    const expected =
      bytes < 3
        ? `Input hash value must be at least 6 characters: ${hash}`
        : `Error: Failure to find block with hash: ${hash}`;
    expect(block.message).toMatchObject(shown(expected));
    expect((await client.isFinalized({ hash })).message).toMatchObject({ case: "isFinalized", value: false });
    const found = await client.findDeploy({ deployId: Buffer.from(hash, "hex") });
    expect(found.message).toMatchObject(shown(`Couldn't find block containing deploy with id: ${hash}`));
    const status = await client.deployFinalizationStatus({ deploySig: Buffer.from(hash, "hex") });
    expect(status.message).toMatchObject({ case: "status", value: { state: 3, rejectionCount: 0 } });
    expect(status.message.case === "status" && "latestBlockHash" in status.message.value).toBe(false);
    const report = await client.getEventByHash({ hash });
    expect(report.message.case).toBe("error");
    const data = await client.getDataAtName({ blockHash: hash });
    expect(data.message).toMatchObject(shown(`BlockStore is missing hash ${hash.slice(0, 10)}...`));
    const explored = await client.exploratoryDeploy({ term: "Nil", blockHash: bytes === 0 ? "ab" : hash });
    expect(explored.message).toMatchObject(shown(`Can not find block Some(${bytes === 0 ? "ab" : hash})`));
    const names = await client.previewPrivateNames({ user: Buffer.from(hash, "hex"), nameQty: 1 });
    expect(names.message.case).toBe("payload");
  }
  expect(server.failures).toEqual([]);
});

test("a text that is far too long to be a name is reported by its beginning, and delays no other request", async () => {
  const client = server.deploys();
  const digits = "ab".repeat(500_000);
  const bytes = new Uint8Array(500_000).fill(0xab);
  const beginning = `${"ab".repeat(2_048)}...`;
  const shown = (text: string) => ({ case: "error", value: { messages: [text] } });
  expect((await client.getBlock({ hash: digits })).message).toMatchObject(
    shown(`Error: Failure to find block with hash: ${beginning}`),
  );
  expect((await client.getEventByHash({ hash: digits })).message).toMatchObject(shown(`Block ${beginning} not found`));
  expect((await client.exploratoryDeploy({ term: "Nil", blockHash: digits })).message).toMatchObject(
    shown(`Can not find block Some(${beginning})`),
  );
  expect((await client.findDeploy({ deployId: bytes })).message).toMatchObject(
    shown(`Couldn't find block containing deploy with id: ${beginning}`),
  );
  expect((await client.isFinalized({ hash: digits })).message.value).toBe(false);
  expect(server.failures).toEqual([]);
});
