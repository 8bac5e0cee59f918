import { availableParallelism, homedir } from "node:os";
import {
  type ConfigSources,
  keyNames,
  keyOf,
  namesBootstrap,
  readConfig,
  variableOf,
  versionText,
} from "@vedette/config";
import { createLog, info, isJournal, LogLevels, type LogStream, warn } from "@vedette/log";
import { Meters, runNode } from "@vedette/node/run";
import { keyEnvironment } from "./client/privateKey.js";
import { exitCodes } from "./exitCodes.js";
import { introduction } from "./introduction.js";
import { changeLevelsOnSignals } from "./logSignals.js";
import { runOptionValues } from "./runOptions.js";
import { stopOnSignals } from "./stopOnSignals.js";

/** What `vedette run` was given besides the options of the configuration. */
export interface RunCommand {
  readonly options: Readonly<Record<string, unknown>>;
  readonly profile: string | undefined;
  readonly configFile: string | undefined;
  /** Whether the command was named; a bare `vedette` that has no network only tells how to go on. */
  readonly isExplicit: boolean;
}

/** A program that takes longer is stopped. */
const exploreTimeoutMs = 20_000;

/** Runs a node until SIGINT or SIGTERM. @returns the exit code */
export async function runRun({ options, profile, configFile, isExplicit }: RunCommand): Promise<number> {
  const sources: ConfigSources = {
    home: homedir(),
    profile,
    configFile,
    options: runOptionValues(options),
    environment: { ...process.env },
  };
  const keyPassword = process.env[keyEnvironment.password];
  forgetSecrets();
  const { config, file, notices, warnings } = readConfig(sources);
  const isFirstNode = config.standalone || config["casper.genesis-ceremony.ceremony-master-mode"];
  if (!isFirstNode && !namesBootstrap(config)) {
    process.stdout.write(introduction);
    return isExplicit ? exitCodes.usage : exitCodes.success;
  }
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
  await runNode({
    config,
    keyPassword,
    log,
    meters,
    signal: stop.signal,
    // One for programs, which may take long, and one for whatever is answered at once.
    readerThreads: Math.max(2, Math.min(4, availableParallelism() - 1)),
    exploreTimeoutMs,
  });
  log(info("Stopped."));
  return stop.exitCode();
}

function logStream(): LogStream {
  if (!isJournal(process.env["JOURNAL_STREAM"])) return process.stdout;
  return { isJournal: true, write: (text) => process.stdout.write(text) };
}

/** What the node starts, and what Node.js reports of it when asked to, has no use for keys and passwords. */
function forgetSecrets(): void {
  const secretKeys = keyNames.filter((name) => keyOf(name).isSecret === true);
  for (const name of [...secretKeys.map(variableOf), ...Object.values(keyEnvironment)]) delete process.env[name];
}
