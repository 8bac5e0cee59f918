import { type Lines, linesOf } from "@vedette/log";
import { shortHash } from "@vedette/protocol";
import type { AccountEvent } from "@vedette/queries";

const { info, warn } = linesOf("api");

/** Fewer missing blocks than this are not worth a line. */
const worthReporting = 100;

/** What the log says of the index of accounts. */
export const accountLines: Lines<AccountEvent> = {
  accountsBegun: ({ blocks, wanted }) =>
    wanted - blocks < worthReporting
      ? undefined
      : info(`The index of accounts has ${blocks} of ${wanted} blocks; the others are put in.`),
  accountsComplete: ({ blocks, added }) =>
    added < worthReporting ? undefined : info(`The index of accounts is complete (${blocks} blocks).`),
  accountsFailed: ({ reason }) => warn(`The index of accounts could not be written and is tried again: ${reason}`),
  transfersUnknown: ({ hash, reason }) =>
    warn(
      `The transfers of block ${shortHash(hash)} are missing in the index of accounts until they can be read: ${reason}`,
    ),
};
