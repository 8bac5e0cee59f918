import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { printReport } from "@vedette/devtools/devnet";
import { AdjustableClock } from "./AdjustableClock.js";
import type { Sample } from "./SoakWatch.js";
import { type SoakLine, soak } from "./soak.js";

const help = `npm run soak -- [options]: a network of five under load and disturbances, and what its processes hold

  --hours <number>   how long (default: 2); fractions may be given
  --seed <number>    order and places of what is done (default: of this day)
  --rest <seconds>   from the end of one disturbance to the next (default: 20)
  --logs <folder>    where the log of a node that ends by itself is kept (default: soak-logs)
  --samples <file>   each sample is written there, a JSON object on a line of its own
  --json             print the result as one JSON object

Ends with 1 when a node ended by itself, the load's books are not sound, or the nodes do not agree. The slope is that of
the least in five minutes, after the first quarter of the time, which has four times the load. Every four minutes nothing is
asked of the nodes for 27 seconds, so that what they hold then is what they keep. Nodes that are killed are not in the table.
`;

const { values } = parseArgs({
  options: {
    hours: { type: "string", default: "2" },
    seed: { type: "string", default: new Date().toISOString().slice(0, 10).replaceAll("-", "") },
    rest: { type: "string", default: "20" },
    logs: { type: "string", default: "soak-logs" },
    samples: { type: "string" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

if (values.help) process.stdout.write(help);
else process.exitCode = await run();

async function run(): Promise<number> {
  const [hours, seed, rest] = [values.hours, values.seed, values.rest].map(Number) as [number, number, number];
  if (![hours, seed, rest].every((number) => number >= 0) || hours === 0 || !Number.isInteger(seed)) {
    process.stderr.write(`--hours, --seed and --rest take numbers from 0 on\n`);
    return 1;
  }
  const begunMs = performance.now();
  const report = (text: string) => process.stderr.write(`${minutes(performance.now() - begunMs)} ${text}\n`);
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  const folder = mkdtempSync(join(tmpdir(), "vedette-soak-"));
  try {
    const clock = AdjustableClock.in(folder);
    if (typeof clock === "string") report(`no clock will be moved: ${clock}`);
    report(`seed ${seed}, ${hours} h`);
    const result = await soak({
      ...{ durationMs: hours * 3_600_000, seed, restMs: rest * 1_000, signal: stop.signal, onProgress: report },
      clock: typeof clock === "string" ? undefined : clock,
      logs: values.logs,
      onSample: values.samples === undefined ? undefined : samplesIn(values.samples),
    });
    const { lines, load, done, faults } = result;
    if (values.json) process.stdout.write(`${JSON.stringify({ lines, done, faults })}\n`);
    else {
      process.stdout.write(`${printReport(load)}\n\n${table(lines)}\n\n`);
      for (const [name, count] of Object.entries(done))
        process.stdout.write(`${String(count).padStart(4)} × ${name}\n`);
      process.stdout.write(faults.length === 0 ? "\nNo faults.\n" : `\nFaults:\n${faults.join("\n")}\n`);
    }
    return faults.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function samplesIn(path: string): (sample: Sample) => void {
  mkdirSync(dirname(path), { recursive: true });
  return (sample) => appendFileSync(path, `${JSON.stringify(sample)}\n`);
}

function table(lines: readonly SoakLine[]): string {
  const number = (value: number | undefined) => (value === undefined ? "–" : value.toFixed(1)).padStart(10);
  const head = `${"node".padEnd(12)}${"figure".padEnd(14)}${"first".padStart(10)}${"last".padStart(10)}${"most".padStart(10)}${"an hour".padStart(10)}`;
  const rows = lines.map(
    ({ node, figure, unit, first, last, most, perHour }) =>
      `${node.padEnd(12)}${figure.padEnd(14)}${number(first)}${number(last)}${number(most)}${number(perHour)} ${unit}`,
  );
  return [head, ...rows].join("\n");
}

function minutes(ms: number): string {
  return `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, "0")}`.padStart(7);
}
