import { homedir } from "node:os";
import { readConfig } from "@vedette/config";
import { printable } from "@vedette/config/log";
import { type Diagnosis, examine } from "@vedette/node/doctor";
import { exitCodes } from "../exitCodes.js";
import { runOptionValues } from "../runOptions.js";

const marks = { good: "ok  ", doubtful: "look", bad: "BAD " } as const;

/** Prints each finding as it is made. @returns the exit code: 1 when something is bad @throws {ConfigError} */
export async function runDoctor(
  options: Readonly<Record<string, string | boolean>>,
  print: (text: string) => void,
): Promise<number> {
  const text = (name: string) => (typeof options[name] === "string" ? options[name] : undefined);
  const { config } = readConfig({
    home: homedir(),
    profile: text("profile"),
    configFile: text("config"),
    options: runOptionValues(options),
    environment: { ...process.env },
  });
  const findings: Diagnosis[] = [];
  for await (const finding of examine(config)) {
    findings.push(finding);
    if (options["json"] !== true) print(`${linesOf(finding).map(printable).join("\n")}\n`);
  }
  if (options["json"] === true) print(`${JSON.stringify(findings, undefined, 2)}\n`);
  const count = (verdict: Diagnosis["verdict"]) => findings.filter((finding) => finding.verdict === verdict).length;
  const [badOnes, doubts] = [count("bad"), count("doubtful")];
  if (options["json"] !== true) print(`\n${badOnes} bad, ${doubts} to look at, ${count("good")} good\n`);
  return badOnes === 0 ? exitCodes.success : exitCodes.failure;
}

function linesOf({ verdict, about, text, advice }: Diagnosis): string[] {
  return [`${marks[verdict]}  ${about}: ${text}`, ...(advice === undefined ? [] : [`      → ${advice}`])];
}
