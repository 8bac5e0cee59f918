import { importedBlocks } from "../approvedBlocks.js";
import { fetchApprovedBlocks } from "../fetchApprovedBlocks.js";
import { fetchState } from "../fetchState.js";
import type { JoinRules } from "../JoinRules.js";
import { runBothOrAbort } from "../runBothOrAbort.js";

/** As on rnode networks: the state, and the blocks around the approved one. @spec 40 §3.7, §3.9 */
export const rnodeJoin: JoinRules = {
  async beginAt(approved, { blocks, states, approved: port }, signal) {
    const { block } = approved.candidate;
    const [fetched] = await runBothOrAbort(
      signal,
      (both) => fetchApprovedBlocks(block, blocks, both),
      (both) => fetchState(block.body.state.postStateHash, states, both),
    );
    const hashes = fetched.map(({ hash }) => hash);
    await port.adoptImported(approved, importedBlocks(block, hashes));
  },
};
