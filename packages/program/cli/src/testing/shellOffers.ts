import { execFileSync } from "node:child_process";
import { Command, Option } from "commander";
import { expect } from "vitest";
import { completionScript, type Shell } from "../completion/addCompletion.js";
import { commandWords } from "../completion/commandWords.js";

function words() {
  const vedette = new Command("vedette").description("a node");
  vedette.command("run").description("run a node: it's one").option("-c, --config <path>", "file");
  vedette
    .command("network")
    .addOption(new Option("--equivocation-rule <rule>", "how to judge").choices(["evidence", "arrival"]))
    .addOption(new Option("--hidden").hideHelp());
  const config = vedette.command("config").helpCommand(false);
  config.command("check").option("--changed", "only some");
  config.command("show");
  return commandWords(vedette);
}

/** Returns the words that a shell proposes after some words, the last of which is not finished. */
const offers: { readonly [S in Shell]: (words: readonly string[]) => string[] } = {
  bash: (line) => {
    const quoted = line.map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${quoted}); COMP_CWORD=${line.length - 1}; _vedette; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return listed(execFileSync("bash", ["-c", `${completionScript("bash", words())}\n${ask}`]));
  },
  zsh: (line) => {
    // Stubs of two functions of zsh's own completion: they print what they receive.
    const stubs = `compdef() { : }; _describe() { print -l -- "\${(@)entries%%:*}" }; compadd() { shift; print -l -- "$@" }`;
    const quoted = line.map((word) => `'${word}'`).join(" ");
    const ask = `words=(${quoted}); CURRENT=${line.length}; _vedette`;
    const all = listed(execFileSync("zsh", ["-f", "-c", `${stubs}\n${completionScript("zsh", words())}\n${ask}`]));
    return all.filter((word) => word.startsWith(line.at(-1)!));
  },
  fish: (line) => {
    const ask = `complete -C '${line.join(" ")}'`;
    const text = execFileSync("fish", ["--no-config", "-c", `${completionScript("fish", words())}\n${ask}`]);
    return listed(text).map((offer) => offer.split("\t")[0]!);
  },
};

function listed(output: Buffer): string[] {
  return output
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .sort();
}

/** Checks that a shell offers commands, those below them, options, and values that can be chosen. */
export function expectOffers(shell: Shell): void {
  const offer = offers[shell];
  expect(offer(["vedette", "con"])).toEqual(["config"]);
  expect(offer(["vedette", "config", "s"])).toEqual(["show"]);
  expect(offer(["vedette", "config", "check", "--c"])).toEqual(["--changed"]);
  expect(offer(["vedette", "run", "--co"])).toEqual(["--config"]);
  expect(offer(["vedette", "network", "--equivocation-rule", "a"])).toEqual(["arrival"]);
  expect(offer(["vedette", "network", "--hi"])).toEqual([]);
}
