import type { Command } from "commander";
import type { GivenOptions } from "../runOptions.js";

/** `vedette api-key`: keys that an operator gives out to users of the API servers. @spec 50 §1.17 */
export function addApiKeyCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const group = vedette
    .command("api-key")
    .description("make, list and revoke keys for users of a node's HTTP and gRPC API")
    .helpOption("--help", "show this help");
  const add = (text: string, description: string) =>
    group
      .command(text)
      .description(description)
      .helpOption("--help", "show this help")
      .option("--file <path>", "file of keys (default: api-server.keys.file of the configuration)")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--data-dir <path>", "data directory, whose rnode.conf is read")
      .option("--json", "print JSON");
  add("create <name>", "make a key, add its hash to the file, and print it, once")
    .option("--requests-per-second <number>", "requests that may be sent with it, on average (default: 200)")
    .option("--requests-at-once <number>", "requests that may be sent at once after a silence (default: 2000)")
    .addHelpText("after", "\nExample:\n  vedette api-key create explorer --file /etc/vedette/api-keys.json")
    .action(async (name: string, given: GivenOptions) => {
      const { createApiKey } = await import("./apiKeyCommands.js");
      finish(createApiKey(name, given));
    });
  add("list", "tell which keys there are, never the keys themselves").action(async (given: GivenOptions) => {
    const { listApiKeys } = await import("./apiKeyCommands.js");
    finish(listApiKeys(given));
  });
  add("revoke <name>", "remove a key: nodes that read the file refuse it within two seconds").action(
    async (name: string, given: GivenOptions) => {
      const { revokeApiKey } = await import("./apiKeyCommands.js");
      finish(revokeApiKey(name, given));
    },
  );
}
