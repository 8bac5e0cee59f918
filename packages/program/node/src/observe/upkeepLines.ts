import { type Lines, linesOf } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import type { UpkeepEvent } from "../start/UpkeepEvent.js";

const { info, warn } = linesOf("chain");

/** The log lines of upkeep. */
export const upkeepLines: Lines<UpkeepEvent> = {
  packingFailed: ({ reason }) => warn(`Packing of old blocks failed, they stay unpacked: ${errorText(reason)}`),
  statesPruned: ({ below, removed }) => info(`Pruned states below block #${below}: ${removed} entries deleted.`),
  pruningFailed: ({ reason }) => warn(`Pruning of states failed, retrying: ${errorText(reason)}`),
};
