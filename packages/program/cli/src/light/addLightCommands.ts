import { type Command, Option } from "commander";
import { beginCommand } from "../client/beginCommand.js";
import { answerWith } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import { parseHeight, parsePort } from "../client/options.js";
import { parseCount } from "../sharedOptions.js";

interface LightOptions {
  readonly checkpoint: string;
  readonly servers: string;
  readonly port: number;
  readonly maxAge?: number;
  readonly every: number;
  readonly save?: boolean;
  readonly json?: boolean;
}

const msPerHour = 3_600_000;
const msPerSecond = 1_000;

/** `vedette checkpoint` and `vedette light`. @spec 70 §10, §11 */
export function addLightCommands(vedette: Command, host: CommandHost): void {
  vedette.commandsGroup("Run a light client:");
  beginCommand(vedette, host, {
    name: "checkpoint",
    summary: "print a checkpoint for light clients, and compare those of several nodes",
    example: "checkpoint http://localhost:40403 https://observer.example > checkpoint.json",
  })
    .argument("[urls...]", "public HTTP APIs of nodes (default: http://localhost:40403)")
    .addOption(
      new Option("-n, --block-number <n>", "height (default: the newest that all nodes finalized)").argParser(
        parseHeight,
      ),
    )
    .option("--list", "print the networks of which this release carries a checkpoint")
    .option("--json", "print one JSON object, also for errors")
    .action((urls: readonly string[], { blockNumber, list = false, json = false }) =>
      answerWith(host, json, async (signal) => {
        const { checkpoint, listCheckpoints } = await import("./checkpointAnswer.js");
        return list ? listCheckpoints() : checkpoint(urls, blockNumber, signal);
      }),
    );
  beginCommand(vedette, host, {
    name: "light",
    summary: "serve a chain on this machine from data that it verifies, without trust in any node",
    example: "light --checkpoint checkpoint.json --servers http://a.example:40403,http://b.example:40403",
  })
    .requiredOption(
      "--checkpoint <file>",
      "checkpoint from a source that you trust (`vedette checkpoint`), or a network of `vedette checkpoint --list`",
    )
    .requiredOption("--servers <urls>", "public HTTP APIs of nodes, separated by commas")
    .addOption(new Option("--port <port>", "HTTP port on this machine").argParser(parsePort).default(40_403))
    .addOption(
      new Option("--max-age <hours>", "refuse a trusted block that is older (default: no limit)").argParser(parseCount),
    )
    .addOption(new Option("--every <seconds>", "pause between updates").argParser(parseCount).default(15))
    .option("--save", "keep the checkpoint file at the newest verified block")
    .option("--json", "print JSON lines")
    .action(async (options: LightOptions) => {
      const [{ runLight }, { stopOnSignals }] = await Promise.all([
        import("./runLight.js"),
        import("../processSignals.js"),
      ]);
      const stop = stopOnSignals(host.note);
      const { checkpoint: file, port, maxAge, every, save = false, json = false } = options;
      const servers = options.servers.split(",").map((url) => url.trim());
      const maxAgeMs = maxAge === undefined ? undefined : maxAge * msPerHour;
      const code = await runLight(
        { file, servers, port, maxAgeMs, everyMs: every * msPerSecond, save, json },
        stop.signal,
      );
      host.finish(stop.signal.aborted ? stop.exitCode() : code);
    });
}
