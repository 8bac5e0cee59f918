import { importedBlocks } from "../approvedBlocks.js";
import { bothOrNone } from "../bothOrNone.js";
import { fetchApprovedBlocks } from "../fetchApprovedBlocks.js";
import { fetchState } from "../fetchState.js";
import type { JoinRules } from "../JoinRules.js";

/** As on networks of the reference node: the state, and the blocks around the approved one. @spec 40 §3.7, §3.9 */
export const scalaJoin: JoinRules = {
  async beginAt(approved, { blocks, states, approved: port }, signal) {
    const { block } = approved.candidate;
    const [fetched] = await bothOrNone(
      signal,
      (both) => fetchApprovedBlocks(block, blocks, both),
      (both) => fetchState(block.body.state.postStateHash, states, both),
    );
    const hashes = fetched.map(({ hash }) => hash);
    await port.adoptImported(approved, importedBlocks(block, hashes));
  },
};
