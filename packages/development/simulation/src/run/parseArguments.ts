import { parseArgs } from "node:util";
import type { SimulationRequest } from "./SimulationRequest.js";

/** The command of a command line. */
export interface Command {
  readonly seeds: { readonly first: number; readonly last: number };
  readonly request: Omit<SimulationRequest, "seed">;
  readonly isVerbose: boolean;
  readonly isShrunk: boolean;
  /** Whether each seed has steps and a number of nodes of its own. */
  readonly isMixed: boolean;
  /** The share of a day: seeds by date, and those that were bad. */
  readonly isShare: boolean;
  /** In which the seeds of a range are run. */
  readonly processes: number;
  /** File in which is noted what is done. */
  readonly progress: string | undefined;
  readonly isHelp: boolean;
}

export const help = `Runs whole networks in one process, on a time of their own; a seed decides everything that happens.

  npm run simulate -- --seed 123                    one network
  npm run simulate -- --seeds 1-1000                many, with progress; each that fails is shrunk and printed
  npm run simulate -- --seed 123 --verbose          every event

  --steps <n>             events with faults, after which all is well again (5000)
  --execution fake|real   a ledger in the place of Rholang, or Rholang (fake)
  --rule evidence|arrival how blocks are judged (evidence); by arrival there are no liars without --liars
  --liars                 liars in any case
  --faults <numbers>|none only these of the seed's faults
  --calm-at <step>        all is well from this step on
  --nodes <n>             so many nodes at most
  --index                 observers keep the index of accounts; with --mix in half of the networks
  --no-later-faults       none of the kinds that came later: disks that fill up, flipped bits, readers behind, strangers
  --no-shrink             failures are printed as they are
  --mix                   steps (200 to 2000) and nodes by the seed, most of them few; the line that replays one has them
  --processes <n>         so many processes at once, for many seeds (1)
  --progress <file>       notes there which seeds are done: the same command goes on where it was ended
  --share                 the share of a day in CI: seeds by date, and those that failed once

Exit code 1: something did not hold.`;

/** @throws TypeError for what is not understood */
export function parseArguments(args: readonly string[]): Command {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: "string" },
      seeds: { type: "string" },
      steps: { type: "string", default: "5000" },
      execution: { type: "string", default: "fake" },
      rule: { type: "string", default: "evidence" },
      liars: { type: "boolean" },
      faults: { type: "string" },
      "calm-at": { type: "string" },
      nodes: { type: "string" },
      index: { type: "boolean" },
      verbose: { type: "boolean", default: false },
      "no-later-faults": { type: "boolean", default: false },
      "no-shrink": { type: "boolean", default: false },
      mix: { type: "boolean", default: false },
      processes: { type: "string", default: "1" },
      progress: { type: "string" },
      share: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const [first, last = first] = (values.seeds ?? values.seed ?? "1")
    .split("-")
    .map((text) => wholeNumber("seed", text));
  const { faults } = values;
  return {
    seeds: { first: first!, last: last! },
    request: {
      steps: wholeNumber("steps", values.steps),
      execution: oneOf("execution", values.execution, ["fake", "real"]),
      rule: oneOf("rule", values.rule, ["evidence", "arrival"]),
      liars: values.liars,
      index: values.index,
      laterFaults: values["no-later-faults"] ? false : undefined,
      faults:
        faults === undefined
          ? undefined
          : faults === "none"
            ? []
            : faults.split(",").map((one) => wholeNumber("faults", one)),
      calmAtStep: values["calm-at"] === undefined ? undefined : wholeNumber("calm-at", values["calm-at"]),
      maxNodes: values.nodes === undefined ? undefined : wholeNumber("nodes", values.nodes),
    },
    isVerbose: values.verbose,
    isShrunk: !values["no-shrink"],
    isMixed: values.mix,
    isShare: values.share,
    processes: Math.max(1, wholeNumber("processes", values.processes)),
    progress: values.progress,
    isHelp: values.help,
  };
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new TypeError(`--${name}: "${text}" is not a whole number`);
  return Number(text);
}

function oneOf<Text extends string>(name: string, text: string, texts: readonly Text[]): Text {
  const found = texts.find((one) => one === text);
  if (found === undefined) throw new TypeError(`--${name}: "${text}" is none of ${texts.join(", ")}`);
  return found;
}
