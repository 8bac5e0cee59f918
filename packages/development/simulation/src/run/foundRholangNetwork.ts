import { genesisBlock } from "@vedette/chain";
import { addressOfKey, bondTerm, transferWithResultTerm, unbondTerm } from "@vedette/client";
import { toHex } from "@vedette/crypto";
import {
  balances,
  type GenesisParameters,
  genesisDeploys,
  proofOfStakeAddress,
  rnodeExecution,
  rnodeGenesis,
} from "@vedette/execution";
import { RnodeExecutor } from "@vedette/executor";
import { type DeployKey, decodeBlock, rnode } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { StateStore } from "@vedette/tuplespace";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Programs } from "../workload/Workload.js";
import { beganMs, type FoundedNetwork, keyOf } from "./foundNetwork.js";
import type { Scenario } from "./Scenario.js";

const userCount = 4;
const coins = 1_000_000_000_000n;
/** States of which no node reads more than the balances; those of earlier lives are closed. */
const maxStates = 64;

/** A network that executes Rholang, on the contracts of our own genesis. */
export function foundRholangNetwork(scenario: Scenario): FoundedNetwork {
  const users = Array.from({ length: userCount }, (_, index) => keyOf(`user ${index}`));
  const parameters = parametersOf(scenario, users);
  const store = new MemoryStore(tablesOf("state"));
  const founder = new RnodeExecutor(store);
  const deploys = genesisDeploys(parameters, rnodeGenesis);
  const emptyStateHash = founder.makeEmptyState();
  const answer = founder.playGenesis({ timestamp: BigInt(beganMs), blockNumber: 0n, deploys });
  if (answer.kind === "failed") throw new TypeError(`genesis cannot be made: ${answer.message}`);
  const block = genesisBlock(
    decodeBlock(answer.block, rnode.blockForm).body,
    {
      ...{ timestamp: BigInt(beganMs), shardName: "root", bonds: parameters.bonds, deploys },
      judgesByEvidence: scenario.request.rule === "evidence",
    },
    rnode,
  );
  const states: StateStore[] = [new StateStore(store)];
  const addresses = [...parameters.wallets.map(({ address }) => address), proofOfStakeAddress];
  // The stakes of offenders go to a vault of its own.
  const hasLiars = scenario.nodes.some(({ role }) => role === "liar");
  return {
    approved: { candidate: { block, requiredSignatures: 0 }, signatures: [] },
    emptyStateHash,
    executorOf: (own: Store) => {
      const state = new StateStore(own);
      states.push(state);
      if (states.length > maxStates) states.splice(1, 1);
      return executorOf(own, state);
    },
    programs: new RholangPrograms(users),
    effectsIn: () => undefined,
    totalIn: (root) => {
      const state = hasLiars ? undefined : states.findLast((one) => has(one, root));
      return state === undefined
        ? undefined
        : balances(state, { root, addresses, form: rnodeExecution }).reduce((sum, one) => sum + one, 0n);
    },
    bondTerm: (stake) => bondTerm(BigInt(stake), "rnode"),
    unbondTerm: unbondTerm("rnode"),
  };
}

function executorOf(store: Store, state: StateStore): RnodeExecutor & { readonly state: StateStore } {
  const executor = new RnodeExecutor(store);
  executor.makeEmptyState();
  return Object.assign(executor, { state });
}

/** A process that has ended has nothing any more. */
function has(state: StateStore, root: Uint8Array): boolean {
  try {
    return state.hasRoot(root);
  } catch {
    return false;
  }
}

function parametersOf({ nodes, blocksInEpoch }: Scenario, users: readonly DeployKey[]): GenesisParameters {
  const keys = new Map<string, DeployKey>(users.map((key) => [toHex(key.publicKey), key]));
  for (const { keyName } of nodes) if (keyName !== undefined) keys.set(toHex(keyOf(keyName).publicKey), keyOf(keyName));
  return {
    shardId: "root",
    bonds: nodes
      .filter(({ stake }) => stake > 0)
      .map(({ keyName, stake }) => ({ validator: keyOf(keyName!).publicKey, stake: BigInt(stake) })),
    wallets: [...keys.values()].map((key) => ({ address: addressOfKey(key), balance: coins })),
    ...{ minimumBond: 1n, maximumBond: 1_000_000n, epochLength: blocksInEpoch, quarantineLength: blocksInEpoch },
    numberOfActiveValidators: 100,
    posMultiSigPublicKeys: [toHex(keyOf("council").publicKey)],
    posMultiSigQuorum: 1,
  };
}

const cells = 3;

/** Transfers, cells that many want, contracts, and programs that fail. */
class RholangPrograms implements Programs {
  readonly #users: readonly DeployKey[];

  constructor(users: readonly DeployKey[]) {
    this.#users = users;
  }

  next(random: SeededRandom): { readonly key: DeployKey; readonly term: string } {
    const key = random.pick(this.#users);
    const cell = `@"cell ${random.below(cells)}"`;
    switch (random.below(8)) {
      case 0:
        return { key, term: `${cell}!(${random.below(100)})` };
      case 1:
        return { key, term: `for (@value <- ${cell}) { ${cell}!(value + 1) }` };
      case 2:
        return { key, term: `for (@one <- @"cell 0"; @other <- @"cell 1") { @"cell 2"!(one * other) }` };
      case 3:
        return { key, term: `contract @"double"(@number, return) = { return!(2 * number) }` };
      case 4:
        return { key, term: `new out in { @"double"!(${random.below(100)}, *out) | for (@x <- out) { ${cell}!(x) } }` };
      case 5:
        return { key, term: `${cell}!(1 / 0)` };
      default: {
        const to = addressOfKey(random.pick(this.#users));
        return { key, term: transferWithResultTerm(addressOfKey(key), to, BigInt(random.from(1, 1_000)), "rnode") };
      }
    }
  }
}
