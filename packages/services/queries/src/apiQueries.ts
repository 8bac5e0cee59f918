import type { NetworkFacts, NodeStatusView } from "@vedette/api";
import type { BlockReporting, DagView } from "@vedette/chain";
import type { Config } from "@vedette/config";
import type { QueryReaders } from "@vedette/executor/threads";
import type { AccountQueries } from "./accounts/AccountQueries.js";
import type { BlockQueries } from "./block/BlockQueries.js";
import { DagQueries } from "./block/DagQueries.js";
import { ValidatorQueries } from "./block/ValidatorQueries.js";
import { DeployIntake, type DeployPort } from "./deploy/DeployIntake.js";
import { type ProposePort, ProposeRequests } from "./deploy/ProposeRequests.js";
import { DeploySummaries } from "./deployEffects/DeploySummaries.js";
import { type AnswerRules, answerRulesOf } from "./dialect/AnswerRules.js";
import { Explorations } from "./explore/Explorations.js";
import { ExploreQueries } from "./explore/ExploreQueries.js";
import { FairScheduler, type ThrottleOptions } from "./explore/FairScheduler.js";
import { type ExplorerOptions, stateExplorerOf, stateReadsOf } from "./explore/StateExplorer.js";
import { LightQueries } from "./light/LightQueries.js";
import { NoteQueries } from "./report/NoteQueries.js";
import { ReportQueries } from "./report/ReportQueries.js";
import { TraceQueries } from "./report/TraceQueries.js";
import { TransferQueries } from "./report/TransferQueries.js";
import { BalanceQueries } from "./state/BalanceQueries.js";
import { ContractSources } from "./state/ContractSources.js";
import { NameQueries } from "./state/NameQueries.js";
import { mapToStateQueryError, StateQueries } from "./state/StateQueries.js";
import { StateRoots } from "./state/StateRoots.js";
import type { ChainHead } from "./status/ChainHead.js";

/** The additional parts of a node with a validator's key. @spec 50 §9 */
export interface ValidatorPart {
  readonly publicKey: Uint8Array;
  readonly deploys: DeployPort;
  readonly proposals: ProposePort;
}

/** The facts of the status routes. */
export interface StatusReads {
  readonly version: string;
  readonly network: NetworkFacts;
  /** Another number whenever the chain, the peers or the node's state have changed. */
  readonly changes: () => number;
  now(): NodeStatusView;
}

/** The sources of the APIs' answers. */
export interface QuerySources {
  readonly config: Config;
  readonly dag: DagView;
  /** The chain's reporting. */
  readonly reporting: BlockReporting;
  readonly blocks: BlockQueries;
  readonly head: ChainHead;
  readonly accounts: AccountQueries;
  readonly readers: QueryReaders;
  /** Longest time of one query on a state, exploratory deploys apart. */
  readonly queryTimeoutMs: number;
  /** Programs that may run at once: fewer than there are readers, so that other queries need not wait for them. */
  readonly explorationsAtOnce?: number;
  /** Left out: one program follows the other. */
  readonly rests?: ThrottleOptions;
  readonly status: StatusReads;
  /** Absent on an observer. */
  readonly validator: ValidatorPart | undefined;
  /** Whether the node takes part in the network. @spec 50 §3.5 */
  readonly isRunning: () => boolean;
  /** Whether reports are made beside a validator, too: on a chain for development. */
  readonly mayReport?: boolean;
}

/** How long epochs are, and how long a stake is kept back that is withdrawn: in blocks, as configured. @spec 50 §10.5 */
export interface EpochFacts {
  readonly epochLength: bigint;
  readonly quarantineLength: bigint;
}

/** Everything that HTTP and gRPC answer from. */
export interface ApiQueries {
  readonly status: StatusReads;
  readonly head: ChainHead;
  readonly blocks: BlockQueries;
  readonly dag: DagQueries;
  readonly names: NameQueries;
  readonly explore: ExploreQueries;
  readonly explorations: Explorations;
  readonly states: StateQueries;
  readonly validators: ValidatorQueries;
  readonly epochs: EpochFacts;
  readonly reports: ReportQueries;
  readonly notes: NoteQueries;
  readonly traces: TraceQueries;
  readonly accounts: AccountQueries;
  /** The effects of deploys. */
  readonly summaries: DeploySummaries;
  readonly balances: BalanceQueries;
  /** Whether programs are the sources of contracts. */
  readonly contractSources: ContractSources;
  /** For clients that trust no server. @spec 70 §9 */
  readonly light: LightQueries;
  readonly rules: AnswerRules;
  /** The transfers of deploys; absent if answers do not include them. @spec 50 §10.3 */
  readonly transfers: TransferQueries | undefined;
  readonly deploys: DeployIntake;
  readonly proposals: ProposeRequests;
}

/** Returns the limits of an exploratory deploy. @spec 50 §5.3 */
function exploringOf(config: Config): Pick<ExplorerOptions, "phloLimit" | "timeoutMs"> {
  return {
    phloLimit: config["api-server.exploratory-deploy-phlo-limit"],
    timeoutMs: config["api-server.exploratory-deploy-execution-timeout"],
  };
}

/** Makes the queries of a node in its role. @spec 50 §9 */
export function apiQueriesOf(sources: QuerySources): ApiQueries {
  const { config, dag, reporting, blocks, head, readers, queryTimeoutMs, status, validator, isRunning } = sources;
  const rules = answerRulesOf(reporting.form);
  const isReadOnly = validator === undefined;
  const mayExplore = isReadOnly || config["dev-mode"];
  const mayReport = isReadOnly || sources.mayReport === true || (rules.reportsInDevMode && config["dev-mode"]);
  const roots = new StateRoots(dag, (some) => mapToStateQueryError(readers.call("areHere", some, queryTimeoutMs)));
  const atOnce = sources.explorationsAtOnce ?? 1;
  const programsAtOnce = Math.min(atOnce, config["api-server.exploratory-deploy-max-concurrent"] ?? atOnce);
  const states = stateReadsOf(readers, { timeoutMs: queryTimeoutMs, turns: new FairScheduler(atOnce), roots });
  const isEnabled = config["api-server.enable-reporting"];
  const turns = new FairScheduler(programsAtOnce, sources.rests);
  const transfers = new TransferQueries(readers);
  const lookups = { turns: new FairScheduler(atOnce, sources.rests), timeoutMs: queryTimeoutMs };
  const entries = new StateQueries({ ...{ roots, blocks, readers }, ...lookups });
  const programs = { turns, timeoutMs: exploringOf(config).timeoutMs, isAllowed: mayExplore };
  const explorations = new Explorations({ roots, readers, turns, isAllowed: mayExplore });
  return {
    status,
    head,
    blocks,
    dag: new DagQueries(dag, blocks, config["api-server.max-blocks-limit"]),
    names: new NameQueries(dag, blocks, states, rules.terms),
    explore: new ExploreQueries(blocks, stateExplorerOf(readers, { ...exploringOf(config), turns, roots }), {
      isAllowed: mayExplore,
      reportsCost: rules.reportsCost,
    }),
    explorations,
    states: entries,
    contractSources: new ContractSources(entries, rules.programs),
    epochs: {
      epochLength: BigInt(config["casper.genesis-block-data.epoch-length"]),
      quarantineLength: BigInt(config["casper.genesis-block-data.quarantine-length"]),
    },
    validators: new ValidatorQueries(dag, states, validator?.publicKey),
    reports: new ReportQueries({
      dag,
      reporting,
      blocks,
      readers,
      isAllowed: mayReport,
      isEnabled,
    }),
    notes: new NoteQueries({ dag, reporting, blocks, readers }),
    traces: new TraceQueries({ dag, reporting, blocks, readers, isAllowed: mayReport }),
    accounts: sources.accounts,
    summaries: new DeploySummaries({ transfers, blocks, accounts: sources.accounts, form: reporting.form }),
    balances: new BalanceQueries(roots, readers, queryTimeoutMs),
    light: new LightQueries({
      ...{ dag, blocks, form: reporting.form },
      turns: new FairScheduler(1),
      threshold: config["casper.fault-tolerance-threshold"],
      pieces: { roots, readers, lookups, programs },
    }),
    rules,
    transfers: rules.reportsTransfers ? transfers : undefined,
    deploys: new DeployIntake({
      port: validator?.deploys,
      isRunning,
      checkTerm: states.checkTerm,
      acceptedGap: rules.acceptedGap,
      signatureRules: rules.signatureRules,
    }),
    proposals: new ProposeRequests({ port: validator?.proposals, isRunning }),
  };
}
