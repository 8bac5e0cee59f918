import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { type ProcessState, printEnd, SupervisedProcess } from "./SupervisedProcess.js";

const backoff = { firstMs: 20, mostMs: 60, recoveredAfterMs: 60_000 };
const packages = new URL("../../", import.meta.url).href;

function supervised(script: string, isRestarted: boolean) {
  const states: ProcessState[] = [];
  const lines: string[] = [];
  const process_ = new SupervisedProcess({
    program: {
      command: process.execPath,
      args: ["--input-type=module", "-e", script],
      environment: { PATH: process.env["PATH"] },
    },
    isRestarted,
    onLine: ({ text }) => lines.push(text),
    onStateChange: (state) => states.push(state),
    backoff,
  });
  return { process: process_, states, lines };
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waits = 0; !isTrue(); waits++) {
    if (waits > 3_000) throw new Error("it does not happen");
    await sleep(10);
  }
}

const lives = "setInterval(() => {}, 1000); console.log('up');";

test("a process that dies is started again, later each time, with why it died", async () => {
  const { process: one, states } = supervised("console.error('vedette: no luck'); process.exit(3)", true);
  one.start();
  await until(() => one.restarts >= 3);
  await one.stop(5_000);
  const waits = states.filter((state) => state.type === "waiting");
  expect(printEnd(waits[0]!.end)).toBe("exit code 3: no luck");
  expect(one.state.type).toBe("ended");
  const { restarts } = one;
  await sleep(150);
  expect(one.restarts).toBe(restarts);
});

test("a process that is not to be started again stays ended; a missing program is told", async () => {
  const { process: one } = supervised("process.exit(0)", false);
  one.start();
  await until(() => one.state.type === "ended");
  const missing = new SupervisedProcess({
    program: { command: "/no/such/program", args: [], environment: {} },
    isRestarted: false,
    onLine: () => undefined,
    onStateChange: () => undefined,
  });
  missing.start();
  await until(() => missing.state.type === "ended");
  const { state } = missing;
  expect(state.type === "ended" ? printEnd(state.end) : "").toContain("could not be started: ");
  expect(await missing.stop(10)).toMatchObject({ code: null });
});

test("asked to end it ends in its own way; one that does not is killed", async () => {
  const kind = supervised(`process.on("SIGINT", () => { console.log("bye"); process.exit(130); }); ${lives}`, true);
  kind.process.start();
  await until(() => kind.lines.includes("up"));
  expect(await kind.process.stop(20_000)).toMatchObject({ code: 130, signal: null });
  expect(kind.lines).toEqual(["up", "bye"]);
  const deaf = supervised(`process.on("SIGINT", () => {}); ${lives}`, true);
  deaf.process.start();
  await until(() => deaf.lines.includes("up"));
  expect(await deaf.process.stop(50)).toMatchObject({ code: null, signal: "SIGKILL" });
  expect(deaf.process.state.type).toBe("ended");
});

test("a killed process comes back; a stop while it waits is an end", async () => {
  const { process: one, states, lines } = supervised(lives, true);
  one.start();
  await until(() => lines.length === 1);
  expect(await one.kill()).toMatchObject({ signal: "SIGKILL" });
  await until(() => lines.length === 2);
  await one.kill();
  await one.stop(1_000);
  expect(states.at(-1)!.type).toBe("ended");
  await sleep(100);
  expect(one.pid).toBeUndefined();
});

test("a node ends when its launcher is killed", async () => {
  const node = `import { stopWithParent } from "${packages}node/dist/machine/stopWithParent.js"; stopWithParent(() => process.exit(0)); ${lives}`;
  const launcher = `
    import { SupervisedProcess } from "${packages}devnet/dist/SupervisedProcess.js";
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
  await until(() => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
