import { type Lines, linesOf } from "@vedette/config/log";
import { shortHash } from "@vedette/protocol";
import type { AccountEvent } from "@vedette/queries";

const { info, warn } = linesOf("api");

/** Fewer missing blocks than this are not worth a line. */
const worthReporting = 100;

/** The log lines of the index of accounts. */
export const accountLines: Lines<AccountEvent> = {
  accountsBegun: ({ blocks, wanted }) =>
    wanted - blocks < worthReporting ? undefined : info(`Completing the account index: ${blocks} of ${wanted} blocks.`),
  accountsComplete: ({ blocks, added }) =>
    added < worthReporting ? undefined : info(`Account index complete (${blocks} blocks).`),
  accountsFailed: ({ reason }) => warn(`Account index not writable, retrying: ${reason}`),
  transfersUnknown: ({ hash, reason }) =>
    warn(`Transfers of block ${shortHash(hash)} missing in the account index until they are readable: ${reason}`),
};
