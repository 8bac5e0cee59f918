import { error, info, warn } from "@vedette/config/log";
import { loadNodeIdentity, toHex } from "@vedette/crypto";
import {
  collectGarbageWhenIdle,
  lowerPriority,
  ReaderPool,
  returnFreedMemory,
  startExecutorThread,
} from "@vedette/executor/threads";
import { isDiskFull } from "@vedette/store";
import { dialectOf, ruleSetOf } from "../dialect/dialectOf.js";
import { checkPorts, wantedPorts, withFreePeerPorts } from "../machine/checkPorts.js";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { lowDiskGateOf } from "../machine/LowDiskGate.js";
import { reportDamagedValues } from "../observe/DamagedValues.js";
import { measuredExecutor } from "../observe/measuredExecutor.js";
import { identityPlaceOf } from "./identityPlace.js";
import type { NodeOptions, NodeResources, NodeResourcesOptions } from "./NodeParts.js";
import { validatorIdentityOf } from "./validatorIdentity.js";

/** Queries that may wait for a reader. */
const maxWaitingQueries = 1_000;

/**
 * Runs a node in its configured role until the signal: founds or joins its network or goes on with the chain that it
 * has, follows it, proposes if it is a validator, serves peers and readers.
 *
 * @throws the error that keeps it from starting: {DataDirectoryError}, {ValidatorKeyError}, {GenesisSetupError},
 * {StoreError}, {PortsInUseError}, {NetworkError}, …
 * @spec 50 §6.1
 */
export async function runNode(options: NodeOptions): Promise<void> {
  const load = () => import("./runOpenedNode.js");
  await withNodeResources({ ...options, hasPeers: true, hasKeys: true }, load, async (ground, { runOpenedNode }) => {
    await runOpenedNode({ ...ground, queryTimeoutMs: options.queryTimeoutMs }, options.signal);
  });
}

/**
 * Opens what a node runs on, has it used, and closes it.
 *
 * @param load loads what uses it, which is most of the program: while the threads load what is theirs
 * @throws as {@link runNode}
 * @spec 50 §6.1
 */
export async function withNodeResources<Loaded>(
  options: NodeResourcesOptions,
  load: () => Promise<Loaded>,
  use: (ground: NodeResources, loaded: Loaded) => Promise<void>,
): Promise<void> {
  const { log, signal, pieces } = options;
  const config = options.hasPeers ? await withFreePeerPorts(options.config, (line) => log(info(line))) : options.config;
  using validator = options.hasKeys ? validatorIdentityOf(config, options.keyPassword) : undefined;
  await checkPorts(wantedPorts(config, options.hasPeers));
  const dialect = dialectOf(config);
  const { name } = dialect.protocol;
  await using directory = await openDataDirectory(config["storage.data-dir"], name, ruleSetOf(config));
  log(info(`Using data dir: ${directory.path}`));
  using _damage = reportDamagedValues({ path: directory.path, log, meters: options.meters });
  const identity = options.hasKeys ? identityOf({ config, log }) : noIdentity;
  if (validator !== undefined) log(info(`Validator identity: ${toHex(validator.publicKey)}`));
  else if (options.hasKeys) log(warn("No private key detected, cannot create validator identification."));
  const { meters } = options;
  const room = lowDiskGateOf(config, directory.path, [directory.state, directory.chain]);
  const ended = new AbortController();
  using _watching = { [Symbol.dispose]: () => ended.abort() };
  void room.watch(AbortSignal.any([signal, ended.signal]));
  const onReplayed = (milliseconds: number) => meters.onBlockReplayed(milliseconds);
  const onFailed = (cause: unknown) => {
    if (isDiskFull(cause)) room.refused();
  };
  const onStuck = (reason: string) => log(error(reason));
  // A validator's blocks must never be held.
  const mayHold = options.hasPeers && validator === undefined;
  const adoptsOnly = !(options.executes ?? true);
  const { reserveBytes } = room;
  const place = { stateDirectory: directory.state, dialect: name, pieces, reserveBytes };
  // A network waits for a validator's blocks, for no observer's.
  const endsWhenIdle = validator === undefined;
  const thread = startExecutorThread({ ...place, mayHold, adoptsOnly, endsWhenIdle, onStuck });
  const measured = measuredExecutor(thread, { onReplayed, onFailed }, () => performance.now());
  await using executor = measured.executor;
  const loading = load();
  // Where the executor fails too, its failure is the one that is thrown.
  loading.catch(() => undefined);
  const emptyStateHash = await executor.makeEmptyState();
  lowerPriority("main");
  returnFreedMemory(signal);
  collectGarbageWhenIdle(signal);
  // The state store exists now, so that readers can open it.
  await using readers = new ReaderPool({
    stateDirectory: directory.state,
    dialect: name,
    threads: options.readerThreads,
    maxWaiting: maxWaitingQueries,
    pieces,
  });
  const ground = { ...options, config, identity, validator, directory, room, dialect, executor, mayHold, readers };
  await use({ ...ground, emptyStateHash, executorCalls: measured.pending }, await loading);
}

/** Identity of a node without peers. */
const noIdentity: NodeResources["identity"] = { certificatePem: "", privateKeyPem: "" };

function identityOf({ config, log }: Pick<NodeResourcesOptions, "config" | "log">): NodeResources["identity"] {
  const identity = loadNodeIdentity(identityPlaceOf(config), Date.now());
  for (const notice of identity.notices) log(info(notice));
  for (const warning of identity.warnings) log(warn(warning));
  return identity;
}
