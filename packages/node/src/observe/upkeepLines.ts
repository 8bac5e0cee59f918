import { errorText } from "@vedette/errors";
import { type Lines, linesOf } from "@vedette/log";
import type { UpkeepEvent } from "../start/UpkeepEvent.js";

const { info, warn } = linesOf("chain");

/** What the log says of upkeep. */
export const upkeepLines: Lines<UpkeepEvent> = {
  packingFailed: ({ reason }) => warn(`Old blocks could not be packed, and stay as they are: ${errorText(reason)}`),
  statesPruned: ({ below, removed }) =>
    info(`States of blocks below #${below} are forgotten; ${removed} entries that were theirs alone are thrown away.`),
  pruningFailed: ({ reason }) =>
    warn(`States that are no longer kept could not be thrown away; this is tried again: ${errorText(reason)}`),
};
