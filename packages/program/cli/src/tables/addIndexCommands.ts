import { forms } from "@vedette/config";
import { type Command, InvalidArgumentError, Option } from "commander";
import { beginCommand, defineLocalCommand } from "../client/beginCommand.js";
import type { CommandHost } from "../client/CommandHost.js";
import { addAdminOptions, parseDepth, parsePort } from "../client/options.js";
import { addRenamedOption } from "../sharedOptions.js";

/** Adds the commands that query the index of a node. @spec 60 §6, §7 */
export function addIndexCommands(vedette: Command, host: CommandHost): void {
  vedette.commandsGroup("Query the index:");
  const sql = addAdminOptions(
    beginCommand(vedette, host, {
      name: "sql",
      summary: "query the index tables of a node with one SELECT",
      example: 'sql "select block_number, deployment_count from blocks order by 1 desc limit 5"',
    }),
  )
    .argument("<query>", "the query")
    .addOption(
      new Option("--format <format>", "format of the rows").choices(["table", "csv", "ndjson"]).default("table"),
    )
    .addOption(new Option("--timeout <seconds>", "time limit of the query").argParser(parseDepth).default(30));
  const rows = new Option("--max-rows <n>", "maximum number of rows").argParser(parseDepth).default(1_000);
  addRenamedOption(sql, rows, "--rows <n>");
  defineLocalCommand(sql, host, async () => (await import("./sqlAnswer.js")).sql);

  addIndex(vedette, host);

  const exported = addAdminOptions(
    beginCommand(vedette, host, {
      name: "export",
      summary: "write a table of a node's index to a file",
      example: "export --table transfers --format csv --since 2026-01-01 --out transfers.csv",
    }),
  )
    .requiredOption("--table <name>", "name of the table: `transfers`, `deployments`, `blocks`, …")
    .addOption(
      new Option("--format <format>", "format of the file")
        .choices(["csv", "ndjson", "parquet", "arrow"])
        .default("csv"),
    )
    .option("--since <time>", "first block time: a date, or a time in UTC", parseTime)
    .option("--until <time>", "end of the block times, exclusive", parseTime)
    .option("--out <file>", "output file (default: the standard output; required for parquet and arrow)");
  defineLocalCommand(exported, host, async () => (await import("./exportTable.js")).exportTable);
}

function addIndex(vedette: Command, host: CommandHost): void {
  beginCommand(vedette, host, {
    name: "index",
    summary: "run the index of a node as its own process",
    example: "index --node http://127.0.0.1:40405 --file chain.sqlite --port 40480",
  })
    .requiredOption("--node <url>", "operator's HTTP API of the node; for other implementations the public HTTP API")
    .option("--file <path>", "SQLite file of the tables", "index.sqlite")
    .addOption(
      new Option("--postgres-url <url>", "PostgreSQL database of the tables, instead of a file")
        .env("VEDETTE_INDEX_POSTGRES_URL")
        .argParser(postgresUrl),
    )
    .addOption(
      new Option("--schema <name>", "schema of the tables in PostgreSQL").argParser(schemaName).default("vedette"),
    )
    .addOption(new Option("--port <port>", "port for /graphql and /v2/sql, on this machine only").argParser(parsePort))
    .option("--allow-host <name>", "with --port: accepted host name (repeatable)", oneMore, [])
    .option(
      "--allow-origin <origin>",
      "with --port: origin of an accepted web page, for example https://app.example",
      oneOrigin,
      [],
    )
    .option("--partial", "with --port: answer from tables without the beginning of the chain, too")
    .option("--rebuild", "build a new index beside the old one, and replace the old one when complete")
    .option("--json", "print JSON lines")
    .action(async (options: IndexOptions) => {
      const [{ runIndex }, { stopOnSignals }] = await Promise.all([
        import("./runIndex.js"),
        import("../processSignals.js"),
      ]);
      const stop = stopOnSignals(host.note);
      const { node, file, schema, port } = options;
      const isPartial = options.partial === true;
      const flags = { isPartial, isRebuilt: options.rebuild === true, json: options.json === true };
      const letIn = { hosts: options.allowHost, origins: options.allowOrigin };
      const command = { node, file, postgres: options.postgresUrl, schema, port, ...letIn, ...flags };
      const code = await runIndex(command, stop.signal);
      host.finish(stop.signal.aborted ? stop.exitCode() : code);
    });
}

interface IndexOptions {
  readonly node: string;
  readonly file: string;
  readonly postgresUrl?: string;
  readonly schema: string;
  readonly port?: number;
  readonly allowHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly partial?: boolean;
  readonly rebuild?: boolean;
  readonly json?: boolean;
}

/** It is not repeated: it may have a password. */
function postgresUrl(text: string): string {
  if (forms.postgresUrl.fits(text)) return text;
  throw new InvalidArgumentError(`It must be ${forms.postgresUrl.wanted}.`);
}

function schemaName(text: string): string {
  if (forms.schema.fits(text)) return text;
  throw new InvalidArgumentError(`It must be ${forms.schema.wanted}.`);
}

function oneMore(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function oneOrigin(text: string, before: readonly string[]): readonly string[] {
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? ""))
    throw new InvalidArgumentError("It must be an origin as https://app.example.");
  return oneMore(new URL(text).origin, before);
}

/** As the tables have it. */
function parseTime(text: string): string {
  const time = Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`);
  if (Number.isNaN(time))
    throw new InvalidArgumentError("It must be a date as 2026-01-31, or a time as 2026-01-31T12:00:00.");
  return new Date(time).toISOString().slice(0, -1);
}
