import { type ChainEvent, statusReason } from "@vedette/chain";
import { type Lines, linesOf } from "@vedette/config/log";
import { shortBlock, shortHash } from "@vedette/protocol";
import { executionFacts } from "./executionFacts.js";
import { replayLimitText } from "./replayLimit.js";

const { debug, error, info, warn } = linesOf("chain");

/** The log lines of blocks. @spec 50 §6.2, 40 §5 */
export const chainLines: Lines<ChainEvent> = {
  blockAdded: ({ block }) => info(`Block replayed: ${shortBlock(block)} (${block.body.deploys.length}d) (Valid)`),
  blockRefused: ({ block, status, recorded }) => {
    const limit = replayLimitText(block, status);
    if (limit !== undefined) return error(limit);
    const reason = status.status === "BlockException" ? status.message : statusReason(block, status);
    const because = reason === undefined ? "" : ` Ignoring block ${shortHash(block.hash)} because ${reason}`;
    const outcome = recorded ? "Recording invalid block" : "Dropping block";
    const facts = executionFacts(status);
    return warn(
      `${outcome} ${shortHash(block.hash)} for ${status.status}.${because}`,
      ...(facts === undefined ? [] : [facts]),
    );
  },
  blockRevalidated: ({ block, verdict, isOverruled }) => {
    const because = isOverruled
      ? "validators with more than half of the stake build on it"
      : "a valid block builds on it, or it was invalid only because of a block that is now valid";
    return warn(`Block ${shortBlock(block)} was found invalid (${verdict}) and is valid from now on: ${because}.`);
  },
  blockFinalized: ({ block }) => debug(`Block ${shortBlock(block)} is finalized.`),
  lastFinalizedChanged: ({ hash, number }) => info(`Last finalized block is #${number} (${shortHash(hash)}).`),
  finalityReverted: ({ before, now }) =>
    warn(
      `Block #${before.number} (${shortHash(before.hash)}) was final, but final block #${now.number} (${shortHash(now.hash)}) does not build on it. Deploys of abandoned blocks may have to be sent again; a higher fault-tolerance-threshold makes this less likely.`,
    ),
  finalitySkipped: ({ reason }) => warn(`Finality not computed: ${reason}`),
};
