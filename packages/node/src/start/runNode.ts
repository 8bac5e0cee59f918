import { loadNodeIdentity, toHex } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import type { Config } from "../config/keys.js";
import { info, warn } from "../observe/Line.js";
import { measuredExecutor } from "../observe/measuredExecutor.js";
import { startExecutorThread } from "../thread/executor.js";
import { restMainThread } from "../thread/mainRest.js";
import { standBack } from "../thread/niceness.js";
import { ReaderPool } from "../thread/ReaderPool.js";
import { checkPorts } from "./checkPorts.js";
import { openDataDirectory } from "./dataDirectory.js";
import type { NodeOptions } from "./NodeParts.js";
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
  const { config, log, signal } = options;
  using validator = validatorIdentityOf(config, options.keyPassword);
  await checkPorts(wantedPorts(config));
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
  const onReplayed = (milliseconds: number) => meters.onBlockReplayed(milliseconds);
  const measured = measuredExecutor(startExecutorThread({ stateDirectory: directory.state }), onReplayed, () =>
    performance.now(),
  );
  await using executor = measured.executor;
  const emptyStateHash = await executor.makeEmptyState();
  standBack("main");
  restMainThread(signal);
  await using store = new LmdbStore(directory.chain, { tables: tablesOf("chain") });
  // The state store exists now, so that readers can open it.
  await using readers = new ReaderPool({
    stateDirectory: directory.state,
    threads: options.readerThreads,
    maxWaiting: maxWaitingQueries,
  });
  const node = new RunningNode({
    ...options,
    identity,
    validator,
    directory,
    executor,
    store,
    readers,
    emptyStateHash,
    executorCalls: measured.pending,
  });
  await node.run(signal);
}

function wantedPorts(config: Config) {
  const apiHost = config["api-server.host"];
  return [
    { name: "http", port: config["api-server.port-http"], host: apiHost },
    { name: "admin http", port: config["api-server.port-admin-http"], host: config["api-server.host-admin-http"] },
    { name: "grpc server external", port: config["api-server.port-grpc-external"], host: apiHost },
    { name: "grpc server internal", port: config["api-server.port-grpc-internal"], host: apiHost },
    { name: "RChain Protocol", port: config["protocol-server.port"], host: "0.0.0.0" },
    { name: "Kademlia", port: config["peers-discovery.port"], host: "0.0.0.0" },
  ];
}
