import { type Lines, linesOf } from "@vedette/config/log";
import type { IndexEvent } from "@vedette/indexer";

const { info, warn } = linesOf("api");

/** Fewer blocks than this are not worth a line. */
const worthReporting = 100;

/** The log lines of the index. */
export const indexLines: Lines<IndexEvent> = {
  indexOpened: () => undefined,
  indexBegun: ({ top }) => info(`Building the index from all blocks of ${top} heights.`),
  indexResumed: ({ height, isComplete }) => (isComplete ? undefined : info(`Resuming the index at height ${height}.`)),
  indexProgress: ({ height, top, blocksPerSecond }) =>
    info(`Index at height ${height} of ${top} (${Math.round(blocksPerSecond)} blocks/s).`),
  indexComplete: ({ blocks, seconds }) =>
    blocks < worthReporting
      ? undefined
      : info(`Index complete: ${blocks} blocks in ${Math.round(seconds)} s. Following the chain.`),
  indexKnown: ({ since }) =>
    since === "0"
      ? undefined
      : warn(
          `Index complete only from block #${since} on, where its node started: queries are refused unless index.partial is set (vedette index: --partial).`,
        ),
  indexOfPublicApi: () =>
    warn(
      "No /v2/feed on the node, indexing its public HTTP API: transfers, balances, registrations, slashings, writes and program errors stay empty. For a Vedette node use its admin HTTP address.",
    ),
  indexWithoutRole: () =>
    warn(
      "Index queries have all rights of its PostgreSQL user, which cannot create roles. Allow it to create one without rights: alter user <name> createrole.",
    ),
  indexAnew: ({ reason }) => warn(`Rebuilding the index: ${reason}.`),
  indexFailed: ({ reason, waitMs }) =>
    warn(`Index not writable (${reason}), retry in ${waitMs / 1000} s. The chain continues.`),
  indexStandsBy: ({ writer }) => info(`Standing by for the index, written by ${writer}.`),
  indexTakenOver: ({ writer, height }) => info(`Took over writing the index from ${writer} at height ${height}.`),
  indexAhead: ({ height, writer }) =>
    warn(`Index waits for final blocks up to height ${height}, written by ${writer} and missing on this node.`),
  indexWaits: () => info("Index paused until the node has caught up with its network."),
  indexRecovered: () => info("Index writable again."),
  indexChanged: () => undefined,
};
