import type { DagView } from "@vedette/chain";
import type { Config } from "../config/keys.js";
import type { QueryReaders } from "../thread/ReaderPool.js";
import { BalanceQueries } from "./BalanceQueries.js";
import type { BlockQueries } from "./BlockQueries.js";
import { DagQueries } from "./DagQueries.js";
import { DeployIntake, type DeployPort } from "./DeployIntake.js";
import { Explorations } from "./Explorations.js";
import { ExploreQueries } from "./ExploreQueries.js";
import type { HistoryQueries } from "./HistoryQueries.js";
import { NameQueries } from "./NameQueries.js";
import { type ProposePort, ProposeRequests } from "./ProposeRequests.js";
import { ReportQueries } from "./ReportQueries.js";
import { stateExplorerOf, stateReadsOf } from "./StateExplorer.js";
import { StateQueries, tellingWhy } from "./StateQueries.js";
import { StateRoots } from "./StateRoots.js";
import type { StatusReads } from "./StatusReads.js";
import { type Rests, Turns } from "./Turns.js";
import { ValidatorQueries } from "./ValidatorQueries.js";

/** What a node with a validator's key has beside the others. @spec 50 §9 */
export interface ValidatorPart {
  readonly publicKey: Uint8Array;
  readonly deploys: DeployPort;
  readonly proposals: ProposePort;
}

/** What the APIs' answers are made from. */
export interface QuerySources {
  readonly config: Config;
  readonly dag: DagView;
  readonly blocks: BlockQueries;
  readonly history: HistoryQueries;
  readonly readers: QueryReaders;
  /** Longest time of one query on a state. */
  readonly queryTimeoutMs: number;
  /** Programs that may run at once: fewer than there are readers, so that other queries need not wait for them. */
  readonly explorationsAtOnce?: number;
  /** Left out: one program follows the other. */
  readonly rests?: Rests;
  readonly status: StatusReads;
  /** Absent on an observer. */
  readonly validator: ValidatorPart | undefined;
  /** Whether the node takes part in the network. @spec 50 §3.5 */
  readonly isRunning: () => boolean;
}

/** Everything that HTTP and gRPC answer from. */
export interface ApiQueries {
  readonly status: StatusReads;
  readonly blocks: BlockQueries;
  readonly dag: DagQueries;
  readonly names: NameQueries;
  readonly explore: ExploreQueries;
  readonly explorations: Explorations;
  readonly states: StateQueries;
  readonly validators: ValidatorQueries;
  readonly reports: ReportQueries;
  readonly history: HistoryQueries;
  readonly balances: BalanceQueries;
  readonly deploys: DeployIntake;
  readonly proposals: ProposeRequests;
}

/** Makes the queries of a node in its role. @spec 50 §9 */
export function apiQueriesOf(sources: QuerySources): ApiQueries {
  const { config, dag, blocks, readers, queryTimeoutMs, status, validator, isRunning } = sources;
  const states = stateReadsOf(readers, queryTimeoutMs);
  const isReadOnly = validator === undefined;
  const mayExplore = isReadOnly || config["dev-mode"];
  const roots = new StateRoots(dag, (some) => tellingWhy(readers.call("areHere", some, queryTimeoutMs)));
  const isEnabled = config["api-server.enable-reporting"];
  const atOnce = sources.explorationsAtOnce ?? 1;
  const turns = new Turns(atOnce, sources.rests);
  const explorations = new Explorations({ roots, readers, turns, isAllowed: mayExplore });
  return {
    status,
    blocks,
    dag: new DagQueries(dag, blocks, config["api-server.max-blocks-limit"]),
    names: new NameQueries(dag, blocks, states),
    explore: new ExploreQueries(blocks, stateExplorerOf(readers, queryTimeoutMs, turns), mayExplore),
    explorations,
    states: new StateQueries({
      roots,
      blocks,
      readers,
      turns: new Turns(atOnce, sources.rests),
      timeoutMs: queryTimeoutMs,
    }),
    validators: new ValidatorQueries(dag, states, validator?.publicKey),
    reports: new ReportQueries({ dag, blocks, readers, isAllowed: isReadOnly, isEnabled }),
    history: sources.history,
    balances: new BalanceQueries(roots, readers, queryTimeoutMs),
    deploys: new DeployIntake({ port: validator?.deploys, isRunning, checkTerm: states.checkTerm }),
    proposals: new ProposeRequests({ port: validator?.proposals, isRunning }),
  };
}
