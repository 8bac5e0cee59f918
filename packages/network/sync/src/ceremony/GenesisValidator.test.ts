import { checkApprovals } from "@vedette/chain";
import { rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { FakeGenesis, testGenesis } from "../testing/FakeGenesis.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { GenesisValidator } from "./GenesisValidator.js";

const master = testPeer("master");
const other = testPeer("other");
const unapproved = (attempt: number) => ({
  candidate: { block: testGenesis(["a", "b"], attempt), requiredSignatures: 1 },
  timestamp: 1n,
  durationMs: 2n,
});

function setting() {
  const peers = new FakePeers(master, other);
  const events: SyncEvent[] = [];
  const genesis = new FakeGenesis(["a", "b"]);
  const validator = new GenesisValidator({ genesis, bootstrap: master, peers, emit: (event) => events.push(event) });
  const receive = async (attempt: number, from = master) => {
    validator.handle(unapproved(attempt), from);
    await settled();
  };
  const emitted = () => events.splice(0).map(({ type }) => type);
  return { peers, events, genesis, validator, receive, emitted };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("a genesis validator", () => {
  test("approves the candidate that it expects", async () => {
    const { peers, receive, emitted } = setting();
    await receive(1);
    expect(emitted()).toEqual(["candidateReceived", "candidateApproved"]);
    const [said] = peers.take();
    expect(said?.to).toBe("master");
    const { candidate, signature } = said?.message.type === "BlockApproval" ? said.message.message : undefined!;
    expect(checkApprovals({ candidate, signatures: [signature] }, rnode)).toMatchObject({ isEnough: true });
  });

  test("sends its approval again at the next request, without another check", async () => {
    const { peers, genesis, receive, emitted } = setting();
    await receive(1);
    await receive(1);
    expect(peers.take().length).toBe(2);
    expect(genesis.checked).toBe(1);
    expect(emitted()).toEqual(["candidateReceived", "candidateApproved", "candidateApproved"]);
  });

  test("reports why it refuses, once", async () => {
    const { peers, events, genesis, receive } = setting();
    genesis.verdict = async () => "Tuplespace hash mismatch.";
    await receive(1);
    await receive(1);
    expect(events.slice(1)).toEqual([{ type: "candidateRefused", peer: master, reason: "Tuplespace hash mismatch." }]);
    expect(peers.take()).toEqual([]);
  });

  test("checks again what could not be checked", async () => {
    const { peers, genesis, receive, emitted } = setting();
    genesis.verdict = async () => {
      throw new Error("the executor thread has ended");
    };
    await receive(1);
    expect(emitted()).toEqual(["candidateReceived", "candidateRefused"]);
    genesis.verdict = async () => undefined;
    await receive(1);
    expect(emitted()).toEqual(["candidateReceived", "candidateApproved"]);
    expect(peers.take().length).toBe(1);
  });

  test("does not begin a second check of what it checks, and takes the newest candidate after it", async () => {
    const { peers, genesis, receive, emitted } = setting();
    let finish = () => {};
    genesis.verdict = () =>
      new Promise((resolve) => {
        finish = () => resolve(undefined);
      });
    await receive(1);
    await receive(1);
    await receive(2);
    await receive(3);
    expect(emitted()).toEqual(["candidateReceived", "candidateRepeated"]);
    finish();
    await settled();
    finish();
    await settled();
    expect(genesis.checked).toBe(2);
    expect(emitted()).toEqual(["candidateApproved", "candidateReceived", "candidateApproved"]);
    const approved = peers.take().map(({ message }) => {
      return message.type === "BlockApproval" ? message.message.candidate.block.header.timestamp : undefined;
    });
    expect(approved).toEqual([1n, 3n]);
  });

  test("looks at the bootstrap's candidates alone", async () => {
    const { genesis, validator, receive, emitted } = setting();
    expect([validator.wantsFrom(master), validator.wantsFrom(other)]).toEqual([true, false]);
    await receive(1, other);
    expect(emitted()).toEqual([]);
    expect(genesis.checked).toBe(0);
  });

  test("is silent once the node has begun", async () => {
    const { peers, genesis, validator, receive, emitted } = setting();
    let finish = () => {};
    genesis.verdict = () =>
      new Promise((resolve) => {
        finish = () => resolve(undefined);
      });
    await receive(1);
    validator.close();
    finish();
    await settled();
    await receive(2);
    expect(emitted()).toEqual(["candidateReceived"]);
    expect(peers.take()).toEqual([]);
  });
});
