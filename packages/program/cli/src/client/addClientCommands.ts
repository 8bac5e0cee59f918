import type { Command } from "commander";
import { addContextCommands } from "../context/addContextCommands.js";
import { addWatchCommands } from "../watch/addWatchCommands.js";
import { addDeployCommands } from "./addDeployCommands.js";
import { addKeyCommands } from "./addKeyCommands.js";
import { addReadCommands } from "./addReadCommands.js";
import { addReplCommands } from "./addReplCommands.js";
import { type CommandHost, processHost } from "./CommandHost.js";

/** Everything that uses a node from outside, and keys. @spec 50 §5.6, §8.1 */
export function addClientCommands(vedette: Command, host: CommandHost = processHost): void {
  vedette.commandsGroup("Use a node:");
  addDeployCommands(vedette, host);
  addReadCommands(vedette, host);
  addReplCommands(vedette, host);
  addWatchCommands(vedette, host);
  addContextCommands(vedette, host);
  vedette.commandsGroup("Keys:");
  addKeyCommands(vedette, host);
}
