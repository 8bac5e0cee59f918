import { f1r3node } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { ChainOptions, ChainParts } from "../ChainOptions.js";
import { genesisFirst } from "../dag/firstMessage.js";
import { type F1r3nodeConsensus, f1r3nodeConsensus } from "../f1r3nodeConsensus.js";
import { StoredFloorCache } from "../finality/f1r3node/StoredFloorCache.js";
import type { F1r3nodeRuleSet } from "../ruleSets/F1r3nodeRuleSet.js";
import { f1r3node0445 } from "../ruleSets/f1r3node0445.js";
import type { FakeExecution } from "./FakeExecution.js";
import { FakeF1r3nodeExecution } from "./FakeF1r3nodeExecution.js";
import { type F1r3nodeJudgementOptions, f1r3nodeJudgement } from "./f1r3nodeJudgement.js";

/** The term of contested deploys: of several beside each other, a merged state has the effects of one. */
export const contestedTerm = "contested";
/** Blocks of an epoch. */
const epochLength = 100n;

/** The configuration of an f1r3node network, where it differs from others. */
export const f1r3nodeConsensusRules = { dialect: f1r3node, maximumParents: 10, maximumParentDepth: 15 } as const;

/** The consensus of an f1r3node chain, in tests that execute nothing. */
export interface F1r3nodeParts {
  readonly consensus: F1r3nodeConsensus;
  readonly cache: StoredFloorCache;
}

/**
 * Makes the options of a chain that f1r3node's rules judge, on made-up states.
 *
 * @param store as the chain's
 * @param isRaced makes it a model of f1r3node itself; default: it judges as this program does
 * @returns options of the chain; `made`: available once the chain exists
 */
export function f1r3nodeParts(
  states: FakeExecution,
  store: Store,
  isRaced?: F1r3nodeJudgementOptions["isRaced"],
  ruleSet: F1r3nodeRuleSet = f1r3node0445,
): { readonly chain: Pick<ChainOptions, "consensus" | "firstMessage">; readonly made: () => F1r3nodeParts } {
  const cache = new StoredFloorCache(store);
  let made: F1r3nodeParts | undefined;
  const consensus = (parts: ChainParts) => {
    const execution = new FakeF1r3nodeExecution(states, (hash) => parts.blocks.find(hash));
    execution.isContested = ({ term }) => term === contestedTerm;
    const rules = f1r3nodeConsensus(parts, {
      ...{ execution, cache, epochLength, ruleSet },
      tolerance: async () => 0n,
      losesDeploys: isRaced !== undefined,
    });
    const consensus = isRaced === undefined ? rules : asF1r3node(rules, isRaced);
    made = { consensus, cache };
    return consensus;
  };
  return { chain: { consensus, firstMessage: genesisFirst }, made: () => made! };
}

/** It holds to every verdict. */
function asF1r3node(
  { revisions: _, ...rules }: F1r3nodeConsensus,
  isRaced: F1r3nodeJudgementOptions["isRaced"],
): F1r3nodeConsensus {
  return { ...rules, checks: f1r3nodeJudgement(rules.checks, { epochLength, isRaced }), acceptsSides: false };
}
