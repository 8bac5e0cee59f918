import { loadNodeIdentity, toHex } from "@vedette/crypto";
import { info, warn } from "@vedette/log";
import { LmdbStore, tablesOf } from "@vedette/store";
import { lowerPriority, ReaderPool, restMainThread, startExecutorThread } from "@vedette/workers";
import { measuredExecutor } from "../observe/measuredExecutor.js";
import { checkPorts, wantedPorts } from "./checkPorts.js";
import { openDataDirectory } from "./dataDirectory.js";
import type { NodeGround, NodeOptions } from "./NodeParts.js";
import { RunningNode } from "./RunningNode.js";
import { validatorIdentityOf } from "./validatorIdentity.js";

/** Queries that may wait for a reader. */
const maxWaitingQueries = 1_000;

/**
 * Runs a node in its configured role until the signal: founds or joins its network or goes on with the chain that it
 * has, follows it, proposes if it is a validator, serves peers and readers.
 *
 * @throws what keeps it from starting: {DataDirectoryError}, {ValidatorKeyError}, {GenesisSetupError}, {StoreError}, {PortsInUseError}, {NetworkError}, …
 * @spec 50 §6.1
 */
export async function runNode(options: NodeOptions): Promise<void> {
  await onGround(options, (ground) => runOnGround(ground, options.signal));
}

/** Opens what a node runs on, has it used, and closes it. @throws as {@link runNode} @spec 50 §6.1 */
export async function onGround(options: NodeOptions, use: (ground: NodeGround) => Promise<void>): Promise<void> {
  const { config, log, signal } = options;
  using validator = validatorIdentityOf(config, options.keyPassword);
  await checkPorts(wantedPorts(config, options.development === undefined));
  await using directory = await openDataDirectory(config["storage.data-dir"]);
  log(info(`Using data dir: ${directory.path}`));
  const identity = loadNodeIdentity(
    {
      certificatePath: config["tls.certificate-path"],
      keyPath: config["tls.key-path"],
      isCustomCertificate: config["tls.custom-certificate-location"],
    },
    Date.now(),
  );
  for (const notice of identity.notices) log(info(notice));
  if (validator === undefined) log(warn("No private key detected, cannot create validator identification."));
  else log(info(`Validator identity: ${toHex(validator.publicKey)}`));
  const { meters } = options;
  const findPiece = options.development?.findPiece;
  const onReplayed = (milliseconds: number) => meters.onBlockReplayed(milliseconds);
  const measured = measuredExecutor(
    startExecutorThread({ stateDirectory: directory.state, findPiece }),
    onReplayed,
    () => performance.now(),
  );
  await using executor = measured.executor;
  const emptyStateHash = await executor.makeEmptyState();
  lowerPriority("main");
  restMainThread(signal);
  // The state store exists now, so that readers can open it.
  await using readers = new ReaderPool({
    stateDirectory: directory.state,
    threads: options.readerThreads,
    maxWaiting: maxWaitingQueries,
    findPiece,
  });
  await use({
    ...options,
    identity,
    validator,
    directory,
    executor,
    readers,
    emptyStateHash,
    executorCalls: measured.pending,
  });
}

/** Runs a node on the chain that its directory has now. */
export async function runOnGround(ground: NodeGround, signal: AbortSignal): Promise<void> {
  await using store = new LmdbStore(ground.directory.chain, { tables: tablesOf("chain") });
  await new RunningNode({ ...ground, store }).run(signal);
}
