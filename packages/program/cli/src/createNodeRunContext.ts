import { fstatSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  type ConfigSources,
  keyNames,
  keyOf,
  type ReadConfig,
  readConfig,
  variableOf,
  versionText,
} from "@vedette/config";
import { createLog, info, isJournal, LogLevels, type LogStream, LossyLines, warn } from "@vedette/config/log";
import { Meters } from "@vedette/node/run";
import { keyEnvironment } from "./client/privateKey.js";
import { changeLevelsOnSignals, stopOnSignals } from "./processSignals.js";

/** A question to a state that takes longer is given up; exploratory deploys have a setting. */
const queryTimeoutMs = 20_000;

/** Makes the context of a node, or a replica, that runs until SIGINT or SIGTERM; logs its start. */
export function createNodeRunContext(sources: ConfigSources, { config, file, notices, warnings }: ReadConfig) {
  const levels = new LogLevels(config["logging.level"]);
  const meters = new Meters();
  const log = createLog(logStream(), levels, (level) => meters.onLogLine(level));
  log(info(versionText));
  if (file !== undefined) log(info(`Using configuration file: ${file}`));
  for (const notice of notices) log(info(notice));
  for (const warning of warnings) log(warn(warning));
  log(info(`Running on network: ${config["protocol-server.network-id"]}`));
  const stop = stopOnSignals((text) => log(info(text)));
  changeLevelsOnSignals({ levels, log, readLevel: () => readConfig(sources).config["logging.level"] });
  // One reader for programs, which may take long, and one for whatever is answered at once.
  const readerThreads = Math.max(2, Math.min(4, availableParallelism() - 1));
  return { log, meters, stop, readerThreads, queryTimeoutMs };
}

function logStream(): LogStream {
  const { fd } = process.stdout;
  // A write that finds no room ends the stream for good.
  if (fstatSync(fd).isFile()) return new LossyLines((text) => writeFileSync(fd, text));
  if (!isJournal(process.env["JOURNAL_STREAM"])) return process.stdout;
  return { isJournal: true, write: (text) => process.stdout.write(text) };
}

/** Child processes of the node, and Node.js reports about it, need no keys and passwords. */
export function forgetSecrets(): void {
  const secretKeys = keyNames.filter((name) => keyOf(name).isSecret === true);
  for (const name of [...secretKeys.map(variableOf), ...Object.values(keyEnvironment)]) delete process.env[name];
}
