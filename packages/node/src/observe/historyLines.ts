import { shortHash } from "@vedette/protocol";
import type { HistoryEvent } from "../history/HistoryFollower.js";
import { type Lines, linesOf } from "./Line.js";

const { info, warn } = linesOf("api");

/** Fewer missing blocks than this are not worth a line. */
const worthTelling = 100;

/** What the log says of the index of accounts. */
export const historyLines: Lines<HistoryEvent> = {
  historyBegun: ({ blocks, wanted }) =>
    wanted - blocks < worthTelling
      ? undefined
      : info(`The index of accounts has ${blocks} of ${wanted} blocks; the others are put in.`),
  historyComplete: ({ blocks, added }) =>
    added < worthTelling ? undefined : info(`The index of accounts is complete (${blocks} blocks).`),
  historyFailed: ({ reason }) => warn(`The index of accounts could not be written and is tried again: ${reason}`),
  transfersUnknown: ({ hash, reason }) =>
    warn(`The transfers of block ${shortHash(hash)} are left out of the index of accounts: ${reason}`),
};
