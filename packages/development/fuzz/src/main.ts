import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { RunOrder } from "./driver/runTarget.js";
import { Session } from "./Session.js";
import { loadTarget, targetNames } from "./targets.js";

const help = `Feeds a target inputs until it does something that it must not.

  npm run fuzz -- <target...>          or "all", or a beginning such as "rholang"
    --minutes N     for each target (default: 1)
    --inputs N      instead of a time; "goal" is 1,000,000 for cheap targets and 100,000 for dear ones
    --seed N        what is tried follows from it (default: the date, printed)
    --blind         without watching what runs: faster, finds less, no coverage
    --keep          what reaches something new becomes the corpus of the repository
    --files         coverage file by file
    --again FILE    one input that was found before, and nothing else
    --list          the targets
  npm run fuzz:share                   every other target blindly, the rest the next day; seed by date

Findings are written to .vedette/fuzz. The exit code is 1 if there are any.
`;

const goals = { cheap: 1_000_000, expensive: 100_000 };
/** Beside it each target takes a second or two to load. */
/** The time for the targets of a day, together. */
const shareMs = 10_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: "string" },
    inputs: { type: "string" },
    seed: { type: "string" },
    again: { type: "string" },
    blind: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    files: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    share: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const isAll = positionals.includes("all") || values.share;
const ofToday = Math.floor(Date.now() / 86_400_000) % 2;
const chosen = targetNames
  .filter((name) => isAll || positionals.some((beginning) => name.startsWith(beginning)))
  .filter((_, index) => !values.share || index % 2 === ofToday);
if (values.list) await list();
else if (values.help || chosen.length === 0) refuse();
else if (values.again !== undefined) await again(values.again);
else await fuzz();

async function list(): Promise<void> {
  for (const each of targetNames) {
    const { name, cost, about } = await loadTarget(each);
    process.stdout.write(`${name.padEnd(18)} ${cost.padEnd(6)} ${about}\n`);
  }
}

function refuse(): void {
  process.stdout.write(help);
  if (!values.help) process.exitCode = 2;
  if (positionals.length > 0) process.stderr.write(`No target begins with ${positionals.join(", ")}; see --list\n`);
}

async function again(path: string): Promise<void> {
  const target = await loadTarget(chosen[0]!);
  const input = new Uint8Array(readFileSync(path));
  process.stdout.write(`${target.name}: ${target.show(input)}\n`);
  await target.run(input);
  process.stdout.write("It was taken as it must be.\n");
  // A target may hold a server open.
  process.exit();
}

async function fuzz(): Promise<void> {
  const seed = values.seed === undefined ? seedOfToday() : number(values.seed, "--seed");
  const session = new Session((line) => process.stdout.write(line));
  process.stdout.write(`seed ${seed}\n`);
  for (const name of chosen) {
    const target = await loadTarget(name);
    const order: RunOrder = {
      target: name,
      seed,
      ...bounds(target.cost),
      isGuided: !values.blind && !values.share,
      keepsCorpus: values.keep,
    };
    await session.run(target, order);
  }
  session.printTable(values.files);
  if (session.findings > 0) process.exitCode = 1;
}

function bounds(cost: "cheap" | "expensive"): Pick<RunOrder, "maxInputs" | "maxMs"> {
  if (values.share) return { maxInputs: Number.POSITIVE_INFINITY, maxMs: shareMs / chosen.length };
  if (values.inputs === "goal") return { maxInputs: goals[cost], maxMs: Number.POSITIVE_INFINITY };
  if (values.inputs !== undefined)
    return { maxInputs: number(values.inputs, "--inputs"), maxMs: Number.POSITIVE_INFINITY };
  return { maxInputs: Number.POSITIVE_INFINITY, maxMs: number(values.minutes ?? "1", "--minutes") * 60_000 };
}

function number(text: string, option: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0) return value;
  process.stderr.write(`${option} wants a number, not "${text}"\n`);
  process.exit(2);
}

function seedOfToday(): number {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}
