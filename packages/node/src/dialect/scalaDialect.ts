import { BlockTable, type Chain, referenceProposing } from "@vedette/chain";
import { scalaGenesis } from "@vedette/execution";
import { rnodeScala } from "@vedette/protocol";
import { approvedBlockOf, executionOf } from "@vedette/workers";
import type { NodeDialect } from "./NodeDialect.js";

/** Networks of the reference node. @spec 40 (opening) */
export const scalaDialect: NodeDialect = {
  protocol: rnodeScala,
  hasBondsOfOwnState: true,
  asked: (executor) => executor,
  checkChain: async () => undefined,
  genesis: {
    form: scalaGenesis,
    judgesByEvidence: (config) => config["casper.genesis-block-data.judge-by-evidence"],
    stakes: (executor, root) => executor.bonds(root),
  },
  consensus({ executor, store, provideState, listener, changed = (usual) => usual }) {
    const execution = changed(executionOf(executor, new BlockTable(store), provideState, listener));
    const sync = (chain: Chain) => ({ approved: approvedBlockOf(chain) });
    return { execution, proposing: referenceProposing(execution), chain: {}, sync };
  },
};
