import type { IndexEvent } from "@vedette/indexer";
import { type Lines, linesOf } from "@vedette/log";

const { info, warn } = linesOf("api");

/** Fewer blocks than this are not worth a line. */
const worthReporting = 100;

/** What the log says of the index. */
export const indexLines: Lines<IndexEvent> = {
  indexOpened: () => undefined,
  indexBegun: ({ top }) => info(`The index is made from all blocks, of ${top} heights.`),
  indexResumed: ({ height, isComplete }) => (isComplete ? undefined : info(`The index goes on from height ${height}.`)),
  indexProgress: ({ height, top, blocksPerSecond }) =>
    info(`The index has come to height ${height} of ${top} (${Math.round(blocksPerSecond)} blocks/s).`),
  indexComplete: ({ blocks, seconds }) =>
    blocks < worthReporting
      ? undefined
      : info(`The index is complete: ${blocks} blocks in ${Math.round(seconds)} s. It follows the chain now.`),
  indexKnown: ({ since }) =>
    since === "0"
      ? undefined
      : warn(
          `The index has all of the chain from block #${since} on, as its node began there: questions are refused unless index.partial is set (vedette index: --partial).`,
        ),
  indexOfPublicApi: () =>
    warn(
      "The node has no /v2/feed, so the index is made from its public HTTP API: transfers, balances, registrations, slashings, writes and why programs failed stay empty. For a Vedette give the address of its admin HTTP port.",
    ),
  indexWithoutRole: () =>
    warn(
      "Queries of the index have all rights of its PostgreSQL user, which may not make roles. Let it make one without rights: alter user <name> createrole.",
    ),
  indexAnew: ({ reason }) => warn(`The index is made anew: ${reason}.`),
  indexFailed: ({ reason, waitMs }) =>
    warn(`The index cannot be written (${reason}); tried again in ${waitMs / 1000} s. The chain goes on.`),
  indexStandsBy: ({ writer }) =>
    info(`${writer} writes the index. This one stands by, and goes on when that one is gone.`),
  indexTakenOver: ({ writer, height }) =>
    info(`This is the index's writer now; it goes on from height ${height}, where ${writer} had it.`),
  indexAhead: ({ height, writer }) =>
    warn(
      `The index, by ${writer}, has final blocks up to height ${height}, which this node has not yet; it waits for them.`,
    ),
  indexWaits: () => info("The index waits until the node has caught up with its network."),
  indexRecovered: () => info("The index is written again."),
  indexChanged: () => undefined,
};
