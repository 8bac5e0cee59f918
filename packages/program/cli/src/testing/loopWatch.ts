// Loaded into a node before it starts (`--import`): prints how long its main thread was away from its event loop.
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { isMainThread } from "node:worker_threads";

const lookMs = 5;
const reportMs = 100;

/** Nanoseconds that the main thread waited for a core; 0 where the system does not report it. */
function waited(): number {
  try {
    return Number(readFileSync("/proc/self/schedstat", "latin1").split(" ")[1]);
  } catch {
    return 0;
  }
}

if (isMainThread) {
  const histogram = monitorEventLoopDelay({ resolution: lookMs });
  histogram.enable();
  let [before, waitedBefore] = [performance.now(), waited()];
  let longest = 0;
  const look = setInterval(() => {
    const [now, waitedNow] = [performance.now(), waited()];
    longest = Math.max(longest, now - before - lookMs - (waitedNow - waitedBefore) / 1e6);
    [before, waitedBefore] = [now, waitedNow];
  }, lookMs);
  const report = setInterval(() => {
    process.stderr.write(`loop ${Math.round(histogram.max / 1e6)} ms, of these its own ${Math.round(longest)} ms\n`);
    histogram.reset();
    longest = 0;
  }, reportMs);
  look.unref();
  report.unref();
}
