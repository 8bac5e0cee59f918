import { createLog, LogLevels } from "@vedette/config/log";
import { Meters, withNodeResources } from "@vedette/node/run";
import { DevFolder } from "./DevFolder.js";
import { checkDevSettings } from "./DevSettings.js";
import { openChain } from "./openChain.js";
import type { DevCommand } from "./runDevChain.js";

/** One thread for short requests, and one for a request that may take long. */
const readerThreads = 2;

/**
 * Runs a chain for development until the signal. Most of the program is loaded while its threads load theirs.
 *
 * @throws {DevError}, {PortsInUseError}, {DataDirectoryError}, and what else keeps a node from starting
 */
export async function runDev(command: DevCommand): Promise<void> {
  const { settings, signal, logLevel } = command;
  checkDevSettings(settings);
  using folder = await DevFolder.open(settings.dataDir);
  const log = createLog(process.stderr, new LogLevels(logLevel));
  await using opened = await openChain(settings, folder, log);
  const { config, pieces } = opened.plan;
  const options = { config, log, signal, readerThreads, meters: new Meters(), hasPeers: false, hasKeys: true, pieces };
  const load = () => import("./runDevChain.js");
  await withNodeResources(options, load, async (ground, { runDevChain }) => {
    await runDevChain(command, { opened, folder, log, ground });
  });
}
