import { spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { until } from "@vedette/testing";
import { afterEach, expect, test, vi } from "vitest";
import { type ProcessCommand, type ProcessState, printEnd, SupervisedProcess } from "./SupervisedProcess.js";

const backoff = { firstMs: 20, maxMs: 60, recoveredAfterMs: 60_000 };
const program = new URL("../../../", import.meta.url).href;

function supervised(program: ProcessCommand, isRestarted: boolean) {
  const states: ProcessState[] = [];
  const lines: string[] = [];
  const process_ = new SupervisedProcess({
    program,
    isRestarted,
    onLine: ({ text }) => lines.push(text),
    onStateChange: (state) => states.push(state),
    backoff,
  });
  return { process: process_, states, lines };
}

/** A short program of a shell, which begins sooner than Node.js. */
const shell = (script: string) => ({
  command: "/bin/sh",
  args: ["-c", script],
  environment: { PATH: process.env["PATH"] },
});

/** The pauses before a process is started again pass when a test lets them. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

/** Lets more time pass than any pause takes, and what would follow from it happen. */
async function passPauses(): Promise<void> {
  vi.advanceTimersByTime(backoff.maxMs);
  for (let turns = 0; turns < 10; turns += 1) await setImmediate();
}

afterEach(() => void vi.useRealTimers());

test("a process that dies is started again, later each time, with why it died", async () => {
  stopTime();
  const { process: one, states } = supervised(shell("echo 'vedette: no luck' >&2; exit 3"), true);
  one.start();
  for (let deaths = 1; deaths <= 3; deaths += 1) {
    await until("the process to die", () => one.state.type === "waiting");
    expect(one.restarts).toBe(deaths - 1);
    await passPauses();
    expect(one.restarts).toBe(deaths);
  }
  await until("the process to die", () => one.state.type === "waiting");
  await one.stop(5_000);
  const waits = states.filter((state) => state.type === "waiting");
  expect(printEnd(waits[0]!.end)).toBe("exit code 3: no luck");
  expect(one.state.type).toBe("ended");
  await passPauses();
  expect(one.restarts).toBe(3);
});

test("a process without restarts stays ended; a missing program is reported", async () => {
  const { process: one } = supervised(shell("exit 0"), false);
  one.start();
  await until("the process to end", () => one.state.type === "ended");
  const { process: missing } = supervised({ command: "/no/such/program", args: [], environment: {} }, false);
  missing.start();
  await until("the process to end", () => missing.state.type === "ended");
  const { state } = missing;
  expect(state.type === "ended" ? printEnd(state.end) : "").toContain("could not be started: ");
  expect(await missing.stop(10)).toMatchObject({ code: null });
});

test("on request it ends in its own way; one that does not is killed", async () => {
  const endless = "while :; do sleep 0.02; done";
  const kind = supervised(shell(`trap 'echo bye; exit 130' INT; echo up; ${endless}`), true);
  kind.process.start();
  await until("its first line", () => kind.lines.includes("up"));
  expect(await kind.process.stop(3_600_000)).toMatchObject({ code: 130, signal: null });
  expect(kind.lines).toEqual(["up", "bye"]);
  const deaf = supervised(shell(`trap '' INT; echo up; ${endless}`), true);
  deaf.process.start();
  await until("its first line", () => deaf.lines.includes("up"));
  expect(await deaf.process.stop(50)).toMatchObject({ code: null, signal: "SIGKILL" });
  expect(deaf.process.state.type).toBe("ended");
});

test("a killed process comes back; a stop while it waits is an end", async () => {
  stopTime();
  const { process: one, states, lines } = supervised(shell("echo up; exec sleep 3600"), true);
  one.start();
  await until("its first line", () => lines.length === 1);
  expect(await one.kill()).toMatchObject({ signal: "SIGKILL" });
  await until("the pause", () => one.state.type === "waiting");
  await passPauses();
  await until("the line of the second", () => lines.length === 2);
  await one.kill();
  await until("the pause", () => one.state.type === "waiting");
  await one.stop(1_000);
  expect(states.at(-1)!.type).toBe("ended");
  await passPauses();
  expect(one.pid).toBeUndefined();
});

test("a node ends when its launcher is killed", async () => {
  const node = `import { stopWithParent } from "${program}node/dist/machine/stopWithParent.js"; stopWithParent(() => process.exit(0)); setInterval(() => {}, 1000); console.log("up");`;
  const launcher = `
    import { SupervisedProcess } from "${program}devtools/dist/devnet/SupervisedProcess.js";
    const one = new SupervisedProcess({
      program: { command: process.execPath, args: ["--input-type=module", "-e", ${JSON.stringify(node)}], environment: {} },
      isRestarted: true,
      onLine: ({ text }) => process.stdout.write(text + " " + one.pid + "\\n"),
      onStateChange: () => {},
    });
    one.start();`;
  const parent = spawn(process.execPath, ["--input-type=module", "-e", launcher], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [text] = (await once(parent.stdout!.setEncoding("utf8"), "data")) as [string];
  expect(text).toMatch(/^up \d+\n$/);
  const pid = Number(text.slice("up ".length));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await until("the node to end", () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
