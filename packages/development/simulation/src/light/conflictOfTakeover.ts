import { emptyBytes, toHex } from "@vedette/crypto";
import { createLightClient, type LightRules } from "@vedette/light";
import { TestServer } from "@vedette/light/testing";
import { Block, hashKey, rnode, signBlock } from "@vedette/protocol";
import { keyOf } from "../run/foundNetwork.js";
import type { Scenario } from "../run/Scenario.js";

/** A network, and what is final in it. */
export interface TakeoverFacts {
  readonly scenario: Scenario;
  readonly blocks: readonly Block[];
  readonly lastFinal: Block;
  readonly genesis: Block;
  readonly rules: LightRules;
}

/**
 * Lets all validators of genesis sign a second chain, and a client query a server of each chain.
 *
 * @returns whether the client reports both and takes over neither; `undefined` if the final chain shows nothing
 */
export async function conflictOfTakeover(facts: TakeoverFacts): Promise<boolean | undefined> {
  const { scenario, blocks, lastFinal, genesis, rules } = facts;
  const second = secondChain(facts);
  const isOfFinal = new Set(blocks.map(({ hash }) => hashKey(hash)));
  if (second.some(({ hash }) => isOfFinal.has(hashKey(hash)))) throw new Error("the second chain is the first one");
  const servers = {
    one: new TestServer(blocks, lastFinal, rules),
    other: new TestServer([genesis, ...second], second.at(-1)!, rules),
  };
  const client = await createLightClient({
    checkpoint: {
      ...{ format: "vedette-checkpoint/1", dialect: "rnode", shardId: genesis.shardId },
      ...{ blockHash: toHex(genesis.hash), blockNumber: 0, timestamp: Number(genesis.header.timestamp) },
      thresholdPpm: Math.floor(scenario.threshold * 1e6),
    },
    servers: ["http://one", "http://other"],
    fetch: TestServer.fetchOf(servers),
  });
  const { conflict, trusted, servers: reports } = await client.update();
  if (reports.some(({ target }) => target === undefined || target.number === 0n)) return undefined;
  return conflict !== undefined && trusted.number === 0n;
}

function secondChain({ scenario, genesis }: TakeoverFacts): readonly Block[] {
  const bonded = new Set(genesis.body.state.bonds.map(({ validator }) => hashKey(validator)));
  const keys = scenario.nodes
    .flatMap(({ keyName, role }) => (keyName === undefined || role === "twin" ? [] : [keyOf(keyName)]))
    .filter(({ publicKey }) => bonded.has(hashKey(publicKey)));
  const chain: Block[] = [];
  for (let at = 0; at < 4 * keys.length; at += 1) {
    const parent = chain.at(-1) ?? genesis;
    const state = {
      ...parent.body.state,
      preStateHash: parent.body.state.postStateHash,
      blockNumber: parent.number + 1n,
    };
    const unsigned = new Block({
      ...{ hash: emptyBytes, justifications: [], sender: emptyBytes, signature: emptyBytes, signatureAlgorithm: "" },
      header: {
        ...parent.header,
        parents: [parent.hash],
        timestamp: parent.header.timestamp + 1n,
        extraBytes: emptyBytes,
      },
      body: { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] },
      ...{ sequenceNumber: 1 + Math.floor(at / keys.length), shardId: genesis.shardId, extraBytes: emptyBytes },
    });
    chain.push(signBlock(unsigned, keys[at % keys.length]!, rnode));
  }
  return chain;
}
