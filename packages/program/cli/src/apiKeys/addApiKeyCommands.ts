import { type Command, Option } from "commander";
import type { GivenOptions } from "../runOptions.js";
import { addRenamedOption } from "../sharedOptions.js";

/** `vedette api-key`: keys that an operator gives out to users of the API servers. @spec 50 §1.17 */
export function addApiKeyCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const group = vedette
    .command("api-key")
    .description("create, list and revoke keys for users of a node's HTTP and gRPC API")
    .helpOption("--help", "show this help");
  const add = (text: string, description: string) =>
    group
      .command(text)
      .description(description)
      .helpOption("--help", "show this help")
      .option("--file <path>", "key file (default: api-server.keys.file of the configuration)")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--data-dir <path>", "data directory with the rnode.conf to read")
      .option("--json", "print JSON");
  const create = add("create <name>", "create a key, add its hash to the file, and print the key once");
  const burst = new Option("--request-burst <number>", "requests in one burst with it (default: 2000)");
  addRenamedOption(create, burst, "--requests-at-once <number>")
    .option("--requests-per-second <number>", "average requests per second with it (default: 200)")
    .addHelpText("after", "\nExample:\n  vedette api-key create explorer --file /etc/vedette/api-keys.json")
    .action(async (name: string, given: GivenOptions) => {
      const { createApiKey } = await import("./apiKeyCommands.js");
      finish(createApiKey(name, given));
    });
  add("list", "list the names of the keys").action(async (given: GivenOptions) => {
    const { listApiKeys } = await import("./apiKeyCommands.js");
    finish(listApiKeys(given));
  });
  add("revoke <name>", "remove a key; nodes that use the file refuse it within two seconds").action(
    async (name: string, given: GivenOptions) => {
      const { revokeApiKey } = await import("./apiKeyCommands.js");
      finish(revokeApiKey(name, given));
    },
  );
}
