import { type Budget, budgetMeter } from "@vedette/rholang";
import { type MatchDatum, type ReportEvent, ReportingSpace, SpaceError, type StateStore } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { ReplayFailure } from "../replay/ReplayFailure.js";
import type { BlockReplay } from "../replay/replayBlock.js";
import { type ReplayedDeploy, replayDeploy } from "../replay/replayDeploy.js";
import { replaySystemDeploy } from "../replay/replaySystemDeploy.js";
import { blockDataOf, Runtime } from "../runtime/Runtime.js";
import { ReportError } from "./ReportError.js";
import type { BlockTransfers, DeployTransferGroups } from "./Transfer.js";
import { VaultTransferCollector } from "./VaultTransferCollector.js";

/** The events of one deploy: a list for each of its parts that has any. @spec 41 §8.2 */
export type DeployReport = readonly (readonly ReportEvent[])[];

/** Takes the report of each deploy as soon as it is there, so that no more than one must be held. */
export interface ReportSink {
  /** @param index in the block's list */
  deploy(index: number, report: DeployReport): void;
  systemDeploy(index: number, report: DeployReport): void;
}

/** The block to report, and with what effort. */
export type ReportedBlock = Pick<BlockReplay, "block" | "preState" | "invalidBlocks"> & {
  /** That of the states; left out: that of rnode. */
  readonly form: ExecutionDialect;
  readonly budget?: Budget | undefined;
};

/**
 * Replays a block and returns its events, with the terms in them.
 *
 * Quirk 41 §8.1: a deploy that cannot be replayed does not end the report. It has no events then; those up to the
 * failure are in the report of the next one.
 *
 * @param store is written to, for the root of the state after the report; it may drop that
 * @returns the root after the report
 * @throws {ReportError} `tooManyEvents`; {ExecutionError} `stopped` and others; {SpaceError} `unknownRoot`
 * @spec 41 §8.1, §8.2
 */
export function reportBlock(store: StateStore, reported: ReportedBlock, sink: ReportSink): Uint8Array {
  const { block, preState, invalidBlocks, budget, form } = reported;
  const meter = budget === undefined ? undefined : budgetMeter(budget);
  const match: MatchDatum = (pattern, data) => form.matchDatum(pattern, data, meter);
  const space = new ReportingSpace(store, match, preState, form.guardHolds);
  const runtime = new Runtime(space, { replay: true, form, budget });
  runtime.enterBlock(blockDataOf(block), invalidBlocks);
  const isCharged = block.parents.length > 0;
  const { deploys, systemDeploys } = block.body;
  for (const [index, deploy] of deploys.entries())
    sink.deploy(
      index,
      reportOf(space, () => replayDeploy(runtime, deploy, isCharged)),
    );
  for (const [index, deploy] of systemDeploys.entries()) {
    const report = reportOf(space, () => replaySystemDeploy(runtime, deploy, block.sender, block.sequenceNumber));
    sink.systemDeploy(index, report);
  }
  // The rest of the log of a deploy that could not be replayed would be treated as an error of the whole.
  space.rig([]);
  return space.checkpoint().root;
}

const noReport: DeployReport = [];

function reportOf(space: ReportingSpace, replay: () => ReplayedDeploy | ReplayFailure): DeployReport {
  try {
    if ("code" in replay()) return noReport;
  } catch (error) {
    if (!isFailureOfDeploy(error)) throw error;
    return noReport;
  }
  const { groups, isCut } = space.takeReport();
  if (isCut) throw new ReportError({ code: "tooManyEvents" });
  return groups;
}

function isFailureOfDeploy(error: unknown): boolean {
  return error instanceof SpaceError || (error instanceof ExecutionError && error.failure.code !== "stopped");
}

/** The transfers in a report. @spec 41 §8.3 */
export function transfersInReport(
  report: DeployReport,
  { terms }: Pick<ExecutionDialect, "terms">,
): DeployTransferGroups {
  const collector = new VaultTransferCollector(terms);
  for (const events of report) {
    for (const event of events) {
      if (event.kind === "consume") collector.consumed();
      else if (event.kind === "produce") collector.produced(event.channel, event.data);
      else collector.matched(event.consume.channels[0]!, event.produces[0]!.data);
    }
    collector.closeGroup();
  }
  return collector.take();
}

/** The transfers of a block, replayed for them alone. @throws as {@link reportBlock} @spec 41 §8.3 */
export function reportTransfers(store: StateStore, reported: ReportedBlock): BlockTransfers {
  const deploys: DeployTransferGroups[] = [];
  const systemDeploys: DeployTransferGroups[] = [];
  const { form } = reported;
  reportBlock(store, reported, {
    deploy: (_index, report) => deploys.push(transfersInReport(report, form)),
    systemDeploy: (_index, report) => systemDeploys.push(transfersInReport(report, form)),
  });
  return { deploys, systemDeploys };
}
