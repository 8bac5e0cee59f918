// Run as a separate program by `WriterWatch.process.test.ts`: threads run compiled modules only.
// node stuckWriter.js <state directory> exit|throw|heap|refuse|read: ends a thread within a transaction, or reads what is left.
import { ExecutorThread } from "../executor/ExecutorThreads.js";
import { openStateStore } from "../executor/executor.js";
import { endProcess } from "../thread/endProcess.js";
import type { WithinWrite } from "./writingThread.js";

const [stateDirectory, how] = process.argv.slice(2) as [string, keyof typeof scenes];
const stuckCode = 9;
const heapSizeMb = 48;
const entry = new URL("./writingThread.js", import.meta.url);
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

function startWriter() {
  const onStuck = () => {
    say("stuck");
    endProcess(stuckCode);
  };
  const thread = new ExecutorThread(
    { stateDirectory, dialect: "rnode" },
    { heapSizeMb, stackSizeMb: 4, youngSizeMb: 4 },
    onStuck,
    entry,
  );
  const cell = new SharedArrayBuffer(4);
  const write = (number: number, within: WithinWrite = "nothing") =>
    thread.call("write", { number, how: within, cell }).then(
      () => say(`wrote ${number}`),
      (error) => say(String(error)),
    );
  const isWithin = () => Atomics.wait(new Int32Array(cell), 0, 0);
  return { thread, write, isWithin, cell };
}

/** @returns when the thread is within a transaction that does not end */
async function stuckWriter(within: WithinWrite): Promise<void> {
  const { write, isWithin, cell } = startWriter();
  await write(1);
  Atomics.store(new Int32Array(cell), 0, 0);
  void write(2, within);
  isWithin();
}

const scenes = {
  exit: async () => {
    await stuckWriter("forever");
    process.exit(3);
  },
  throw: async () => {
    await stuckWriter("forever");
    setImmediate(() => {
      throw new Error("of the main thread");
    });
  },
  heap: () => stuckWriter("fillHeap"),
  refuse: async () => {
    const { thread, write } = startWriter();
    await thread.call("nearlyFillHeap");
    await write(1, "fillHeap");
    await thread.call("empty");
    await write(2);
    await thread.end();
  },
  read: async () => {
    await using store = openStateStore({ stateDirectory });
    say([...store.table("roots").range()].map(([key]) => key[0]));
    store.write((tables) => tables("roots").put(new Uint8Array(32).fill(3), Uint8Array.of(1)));
    say([...store.table("roots").range()].length);
  },
} as const;

await scenes[how]();
