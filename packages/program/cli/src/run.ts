import { homedir } from "node:os";
import { type ConfigSources, namesBootstrap, readConfig } from "@vedette/config";
import { info } from "@vedette/config/log";
import { runNode } from "@vedette/node/run";
import { keyEnvironment } from "./client/privateKey.js";
import { createNodeRunContext, forgetSecrets } from "./createNodeRunContext.js";
import { exitCodes } from "./exitCodes.js";
import { runOptionValues } from "./runOptions.js";
import { sharedCounterOf } from "./sharedCounter.js";

/** The arguments of `vedette run` besides the options of the configuration. */
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

/** The text for a user without a configured network: how to go on, in lines of 80 columns. */
const introduction = `
Vedette follows an rnode-family network, re-executes every block and serves reads.
No network is configured, so there is nothing to follow yet. Three ways to begin
(in a checkout, write "npx vedette" for "vedette"):

  Join a network as an observer, naming one of its nodes:

    vedette run --network-id=<name> --data-dir=./data \\
      --bootstrap='rnode://<node id>@<host>?protocol=40400&discovery=40404'

    The same settings fit in a file (./data/rnode.conf, or -c <file>), for example:

      protocol-server.network-id = "<name>"
      protocol-client.bootstrap =
        "rnode://<node id>@<host>?protocol=40400&discovery=40404"
      # Replay from genesis; false: begin at the last finalized state.
      protocol-client.disable-lfs = true
      casper.shard-name = "root"

  Replay a recorded chain from its files, and serve it to others:

    vedette replay <chain directory> --data-dir=./data
    vedette run --standalone --network-id=<name> --data-dir=./data

  Try programs without any network:

    vedette eval <file.rho>      run one: cost, result, state root
    vedette parse <file.rho>     show its normalized term, or where its error is

While it runs:
  GET  http://localhost:40403/status   /blocks   /block/<hash>
  POST http://localhost:40403/explore-deploy

vedette --help and vedette run --help show all commands and options.
`.trimStart();
