import { blake2b256, emptyBytes, toHex } from "@vedette/crypto";
import {
  type ApprovedBlock,
  Block,
  type BlockSigner,
  blockAlgorithm,
  blockSignerOf,
  type DeployKey,
  hashBlock,
  rnode,
} from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { emptyRoot, StateStore } from "@vedette/tuplespace";
import { accountOf, bondsOf, type Entries, effectsIn, Ledger, totalOf, treasury } from "../ledger/Ledger.js";
import { LedgerExecutor } from "../ledger/LedgerExecutor.js";
import { KnownLedgers, LedgerStates } from "../ledger/LedgerStates.js";
import type { SimulationContext } from "../node/NodeProcess.js";
import { LedgerPrograms, type Programs } from "../workload/Workload.js";
import type { Scenario } from "./Scenario.js";

/** A network before its first event. */
export interface FoundedNetwork {
  readonly approved: ApprovedBlock;
  readonly emptyStateHash: Uint8Array;
  readonly executorOf: SimulationContext["executorOf"];
  readonly programs: Programs;
  /** All that there is in the state of a block; no block changes it. */
  readonly totalIn: (root: Uint8Array) => bigint | undefined;
  /** Returns the deploys with effects in a state, as `effectName`; `undefined` if they cannot be derived. */
  readonly effectsIn: (root: Uint8Array) => readonly string[] | undefined;
  readonly bondTerm: (stake: number) => string;
  readonly unbondTerm: string;
}

const userCount = 6;
const userCoins = 100_000n;

/** Returns the key of a name. It guards nothing. */
export function keyOf(name: string): DeployKey & BlockSigner {
  const privateKey = blake2b256(new TextEncoder().encode(`vedette simulation ${name}`));
  return { algorithm: blockAlgorithm, privateKey, ...blockSignerOf(privateKey) };
}

export const beganMs = 1_700_000_000_000;

/** A network that executes blocks as changes of a ledger. */
export function foundLedgerNetwork(scenario: Scenario): FoundedNetwork {
  const users = Array.from({ length: userCount }, (_, index) => keyOf(`user ${index}`));
  const first = firstEntries(scenario, users);
  const known = new KnownLedgers();
  const rules = { first, blocksInEpoch: BigInt(scenario.blocksInEpoch), known };
  const root = firstRoot(first, known);
  const bonds = bondsOf(first);
  const state = { preStateHash: emptyRoot, postStateHash: root, bonds, blockNumber: 0n };
  return {
    approved: approvedOf(
      new Block({
        ...{
          hash: emptyBytes,
          justifications: [],
          sender: emptyBytes,
          sequenceNumber: 0,
          signature: emptyBytes,
          signatureAlgorithm: "",
        },
        header: { parents: [], timestamp: BigInt(beganMs), version: 1n, extraBytes: emptyBytes },
        body: { state, deploys: [], systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] },
        shardId: "root",
        extraBytes: scenario.request.rule === "evidence" ? new TextEncoder().encode("evidence/1") : emptyBytes,
      }),
    ),
    emptyStateHash: emptyRoot,
    executorOf: (store: Store) => new LedgerExecutor(store, rules),
    programs: new LedgerPrograms(users),
    totalIn: (at) => {
      const entries = known.find(at);
      return entries === undefined ? undefined : totalOf(entries);
    },
    effectsIn: (at) => {
      const entries = known.find(at);
      return entries === undefined ? undefined : effectsIn(entries);
    },
    bondTerm: (stake) => `bond ${stake}`,
    unbondTerm: "unbond",
  };
}

/** @param unnamed without its hash */
export function approvedOf(unnamed: Block): ApprovedBlock {
  const block = new Block({ ...unnamed, hash: hashBlock(unnamed, rnode) });
  return { candidate: { block, requiredSignatures: 0 }, signatures: [] };
}

function firstEntries({ nodes }: Scenario, users: readonly DeployKey[]): Entries {
  const entries = new Map<string, string>([[treasury, "0"]]);
  for (const { publicKey } of users) entries.set(accountOf(publicKey), String(userCoins));
  const bonded = nodes.filter(({ stake }) => stake > 0).map(({ keyName, stake }) => ({ key: keyOf(keyName!), stake }));
  for (const { key, stake } of bonded) entries.set(`bond ${toHex(key.publicKey)}`, String(stake));
  for (const { keyName } of nodes)
    if (keyName !== undefined) entries.set(accountOf(keyOf(keyName).publicKey), String(userCoins));
  entries.set(
    "active",
    bonded
      .map(({ key }) => toHex(key.publicKey))
      .sort()
      .join(" "),
  );
  return entries;
}

function firstRoot(first: Entries, known: KnownLedgers): Uint8Array {
  const store = new MemoryStore(tablesOf("state"));
  const state = new StateStore(store);
  const ledger = new Ledger(first);
  for (const name of first.keys()) ledger.changed.add(name);
  const states = new LedgerStates(store, state, known);
  return states.commit(states.prepare(emptyRoot, ledger));
}
