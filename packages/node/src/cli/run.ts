import { availableParallelism, homedir } from "node:os";
import { namesBootstrap } from "../config/keys.js";
import { type ConfigSources, readConfig } from "../config/readConfig.js";
import { info, warn } from "../observe/Line.js";
import { createLog } from "../observe/logger.js";
import { runNode } from "../start/runNode.js";
import { exitCodes } from "./exitCodes.js";
import { introduction } from "./introduction.js";
import { runOptionValues } from "./runOptions.js";
import { stopWithParent } from "./stopWithParent.js";
import { versionText } from "./version.js";

/** What `vedette run` was given besides the options of the configuration. */
export interface RunCommand {
  readonly options: Readonly<Record<string, unknown>>;
  readonly profile: string | undefined;
  readonly configFile: string | undefined;
  readonly logLevel: string;
  /** Whether the command was named; a bare `vedette` that has no network only tells how to go on. */
  readonly isExplicit: boolean;
}

/** A program that takes longer is stopped. */
const exploreTimeoutMs = 20_000;

/** Runs a node until SIGINT or SIGTERM. @returns the exit code */
export async function runRun({ options, profile, configFile, logLevel, isExplicit }: RunCommand): Promise<number> {
  const sources: ConfigSources = {
    home: homedir(),
    profile,
    configFile,
    options: runOptionValues(options),
    environment: process.env,
  };
  const { config, file, notices, warnings } = readConfig(sources);
  const isFirstNode = config.standalone || config["casper.genesis-ceremony.ceremony-master-mode"];
  if (!isFirstNode && !namesBootstrap(config)) {
    process.stdout.write(introduction);
    return isExplicit ? exitCodes.usage : exitCodes.success;
  }
  const { log } = createLog(process.stdout, logLevel);
  log(info(versionText));
  if (file !== undefined) log(info(`Using configuration file: ${file}`));
  for (const notice of notices) log(info(notice));
  for (const warning of warnings) log(warn(warning));
  log(info(`Running on network: ${config["protocol-server.network-id"]}`));
  const controller = new AbortController();
  let code: number = exitCodes.success;
  const stopOn = (signal: "SIGINT" | "SIGTERM") => {
    process.once(signal, () => {
      log(info(`${signal} received, shutting down.`));
      code = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
      controller.abort();
    });
  };
  stopOn("SIGINT");
  stopOn("SIGTERM");
  stopWithParent(() => {
    log(warn("The launcher of this node is gone, shutting down."));
    code = exitCodes.terminated;
    controller.abort();
  });
  await runNode({
    config,
    log,
    signal: controller.signal,
    // One for programs, which may take long, and one for whatever is answered at once.
    readerThreads: Math.max(2, Math.min(4, availableParallelism() - 1)),
    exploreTimeoutMs,
  });
  log(info("Stopped."));
  return code;
}
