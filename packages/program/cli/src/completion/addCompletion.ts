import { Argument, type Command } from "commander";
import { commandWords } from "./commandWords.js";
import { completionScript, type Shell, shells } from "./completionScript.js";

/** `vedette completion <shell>`. To be added when all other commands are there. */
export function addCompletion(vedette: Command): void {
  vedette
    .command("completion")
    .description("print a shell script that completes commands and options")
    .addArgument(new Argument("<shell>").choices(shells))
    .addHelpText("after", "\nExample:\n  source <(vedette completion bash)")
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell, commandWords(vedette)));
    });
}
