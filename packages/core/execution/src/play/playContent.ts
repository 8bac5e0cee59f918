import type { Deploy, ProcessedSystemDeploy } from "@vedette/protocol";
import { type BlockData, budgetMeter, type ExternalServices, type OutputSink } from "@vedette/rholang";
import type { PlaySpace, StateStore } from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { type ChannelValues, GatheredChannels, readChannelValues } from "../numberChannels.js";
import { BlockOutcomeCollector } from "../outcome/BlockOutcomeCollector.js";
import type { ExecutionOutcome } from "../outcome/outcomeRecord.js";
import { type InvalidBlock, Runtime } from "../runtime/Runtime.js";
import { type BlockSystemDeploy, blockSystemDeployTerm } from "../systemDeploy/blockSystemDeploy.js";
import { NotingPlaySpace } from "./NotingPlaySpace.js";
import { type Gathered, type PlayedDeploy, playSystemTerm } from "./playDeploy.js";
import { type DeployTry, type PlayLimits, type TriedDeploys, TryBudget, tryDeploys } from "./tryDeploys.js";

/** The inputs of a new block. @spec 41 §2.1 */
export interface BlockPlay {
  /** The parents' post-state: 32 bytes. */
  readonly preState: Uint8Array;
  readonly blockData: BlockData;
  /** The invalid blocks that the block's programs can read. @spec 41 §1.2, 61 §10 */
  readonly invalidBlocks: readonly InvalidBlock[];
  readonly deploys: readonly Deploy[];
  /** The tries, in this order; default: all deploys in their order, without a time limit. */
  readonly tries?: readonly DeployTry[] | undefined;
  /** Slashes, then the close of the block. */
  readonly systemDeploys: readonly BlockSystemDeploy[];
  readonly output?: OutputSink | undefined;
  readonly services?: ExternalServices | undefined;
  readonly limits?: PlayLimits | undefined;
  /** Called with the index of each deploy before it is played. */
  readonly begins?: ((index: number) => void) | undefined;
}

/** The deploys of a block as they were played, on a space that is not committed yet. */
export interface PlayedContent extends TriedDeploys {
  readonly space: PlaySpace;
  readonly systemDeploys: readonly PlayedSystemDeploy[];
  readonly outcome: ExecutionOutcome;
}

/**
 * Plays what a block is made of, in the order of a block.
 *
 * @param check whether a deploy that was played can be in the block; throws where not
 * @throws {ExecutionError} as `playBlock`
 * @spec 41 §2.1, 61 §10
 */
export function playContent(
  store: StateStore,
  play: BlockPlay,
  form: ExecutionDialect,
  check: (played: PlayedDeploy) => void = () => {},
): PlayedContent {
  const { preState, blockData, deploys, output, services, limits = unlimited } = play;
  const budget = new TryBudget(limits);
  const meter = budgetMeter(budget);
  const space = new NotingPlaySpace(store, (pattern, data) => form.matchDatum(pattern, data, meter), preState, form);
  const taker = new BlockOutcomeCollector(space, form.terms);
  const outputs = output === undefined ? taker.output : bothOf(taker.output, output);
  const runtime = new Runtime(space, { replay: false, form, output: outputs, services, budget });
  runtime.enterBlock(blockData, play.invalidBlocks);
  const tries = play.tries ?? deploys.map((_, index) => ({ ...anyTime, index }));
  const tried = tryDeploys(runtime, { deploys, tries, check, listener: taker }, budget, play.begins);
  budget.begin(limits.systemMs ?? Number.POSITIVE_INFINITY);
  const { sender, sequenceNumber } = blockData;
  const systemDeploys = play.systemDeploys.map((one) => {
    const played = playSystemDeploy(runtime, one, sender, sequenceNumber);
    taker.systemDeploy();
    return played;
  });
  return { ...tried, space, systemDeploys, outcome: taker.outcome };
}

function bothOf(one: OutputSink, other: OutputSink): OutputSink {
  return (stream, term) => {
    one(stream, term);
    other(stream, term);
  };
}

const unlimited: PlayLimits = { nowMs: () => 0 };
const anyTime = { maximumMs: Number.POSITIVE_INFINITY, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };

/** A system deploy with what came of it, and what it left on number channels. */
interface PlayedSystemDeploy extends ChannelValues {
  readonly processed: ProcessedSystemDeploy;
}

/**
 * Plays a slash or the close of a block.
 *
 * @param sender the block's creator
 * @throws {ExecutionError} `systemDeploy` when the contract refuses: no block is made then; `platform`,
 *   `numberChannel`, `fatal`, `stopped`
 * @spec 41 §2.1, §3
 */
function playSystemDeploy(
  runtime: Runtime<PlaySpace>,
  systemDeploy: BlockSystemDeploy,
  sender: Uint8Array,
  sequenceNumber: number,
): PlayedSystemDeploy {
  const gathered: Gathered = { log: [], used: new GatheredChannels() };
  const term = blockSystemDeployTerm(runtime.form, systemDeploy, sender, sequenceNumber);
  const refusal = playSystemTerm(runtime, term, gathered);
  if (refusal !== undefined) throw new ExecutionError({ code: "systemDeploy", message: refusal });
  return {
    processed: { systemDeploy, log: gathered.log, error: "" },
    ...readChannelValues(runtime.space, gathered.used, runtime.form),
  };
}
