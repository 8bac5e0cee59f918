import { randomBytes } from "node:crypto";
import { parentPort, workerData } from "node:worker_threads";
import { SplittableRandom } from "@vedette/crypto";
import { answerCalls, isOutOfMemory } from "@vedette/executor/threads";
import { diagnose } from "./diagnose.js";
import { EvaluationSpace, type ReplProgram } from "./EvaluationSpace.js";
import type { WorkbenchSettings } from "./Workbench.js";

const { cancelFlag, timeoutMs, maxPending } = workerData as WorkbenchSettings;
const flag = new Int32Array(cancelFlag);
let space: EvaluationSpace | undefined;

answerCalls(parentPort!, {
  run: (program: ReplProgram) => {
    space ??= new EvaluationSpace(() => SplittableRandom.fromSeed(randomBytes(128)));
    return space.run(program, {
      maxPending,
      deadlineMs: performance.now() + timeoutMs,
      nowMs: () => performance.now(),
      isCancelled: () => Atomics.load(flag, 0) !== 0,
      isOutOfMemory,
    });
  },
  diagnose: (source: string) => diagnose(source),
});
