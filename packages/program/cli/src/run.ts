import { homedir } from "node:os";
import { type ConfigSources, namesBootstrap, readConfig } from "@vedette/config";
import { info } from "@vedette/config/log";
import { runNode } from "@vedette/node/run";
import { keyEnvironment } from "./client/privateKey.js";
import { createNodeRunContext, forgetSecrets } from "./createNodeRunContext.js";
import { exitCodes } from "./exitCodes.js";
import { introduction } from "./introduction.js";
import { runOptionValues } from "./runOptions.js";
import { sharedCounterOf } from "./sharedCounter.js";

/** What `vedette run` was given besides the options of the configuration. */
export interface RunCommand {
  readonly options: Readonly<Record<string, unknown>>;
  readonly profile: string | undefined;
  readonly configFile: string | undefined;
  /** Whether the command was named; a bare `vedette` without a network only prints what to do next. */
  readonly isExplicit: boolean;
}

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
  const read = readConfig(sources);
  const { config } = read;
  const isFirstNode = config.standalone || config["casper.genesis-ceremony.ceremony-master-mode"];
  if (!isFirstNode && !namesBootstrap(config)) {
    process.stdout.write(introduction);
    return isExplicit ? exitCodes.usage : exitCodes.success;
  }
  const surroundings = createNodeRunContext(sources, read);
  const { log, stop } = surroundings;
  await using sharedCounter = await sharedCounterOf(config);
  await runNode({ config, keyPassword, sharedCounter, ...surroundings, signal: stop.signal });
  log(info("Stopped."));
  return stop.exitCode();
}
