import { BlockTable, type Chain, referenceProposing, statedExecution } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { rnodeGenesis } from "@vedette/execution";
import { approvedBlockOf, executionOf } from "@vedette/executor";
import { type Bond, rnode } from "@vedette/protocol";
import { rnodeJoin } from "@vedette/sync";
import type { NodeDialect } from "./NodeDialect.js";
import { withBonds } from "./withBonds.js";

/** Networks of rnode. @spec 40 (opening) */
export const rnodeDialect: NodeDialect = {
  protocol: rnode,
  hasBondsOfOwnState: true,
  checkChain: async () => undefined,
  f1r3nodeFacts: () => undefined,
  heartbeatCaps: () => undefined,
  ruleSet: () => undefined,
  genesis: {
    form: rnodeGenesis,
    judgesByEvidence: (config) => config["casper.genesis-block-data.equivocation-evidence"],
    stakes: (executor, root) => executor.bonds(root),
  },
  consensus({ executor, store, provideState, listener, bonds }) {
    const execution = withBonds(
      executionOf(executor, new BlockTable(store, { form: rnode.blockForm }), provideState, listener),
      bonds,
    );
    const sync = (chain: Chain) => ({ approved: approvedBlockOf(chain), join: rnodeJoin });
    return { execution, proposing: referenceProposing(execution), chain: {}, sync };
  },
  followed() {
    // Those of the block that is judged next.
    let last: { readonly root: Uint8Array; readonly bonds: readonly Bond[] } | undefined;
    const bondsIn = (root: Uint8Array) => (last !== undefined && equalBytes(last.root, root) ? last.bonds : undefined);
    return {
      execution: statedExecution(bondsIn),
      chain: {},
      putBonds(root, bonds) {
        last = { root, bonds };
      },
      prepare: async () => undefined,
      close: () => undefined,
    };
  },
};
