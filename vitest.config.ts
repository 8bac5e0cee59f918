import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { findRecordings } from "./packages/development/testing/src/findRecordings.ts";
import { patienceMs } from "./packages/development/testing/src/wait/patience.ts";
import { builtTests } from "./scripts/builtTests.mjs";

const everyTest = "{packages,scripts,contracts,editors}/**/*.test.ts";
const integration = ["**/*.integration.test.ts"];
const processes = ["**/*.process.test.ts"];
const long = ["**/*.long.test.ts"];
const network = ["**/*.network.test.ts"];
const release = ["**/*.release.test.ts"];
const browser = ["packages/services/explorer/**/*.browser.test.ts"];
// Tests that compare with recordings of rnode nodes, which are not part of the repository.
const recorded = findRecordings() !== undefined ? [] : ["**/*.recorded.*"];
const ignored = ["**/node_modules/**", "**/dist/**", ...recorded];
const notDefault = [...ignored, ...integration, ...processes, ...long, ...network, ...release, ...browser];
// One worker for each core but one, and two on small machines: much of a test is waiting for processes.
const maxWorkers = Math.max(2, availableParallelism() - 1);
// Short-lived processes need no large collections, and collecting beside the other workers takes their core.
const collecting = ["--max-semi-space-size=64", "--single-threaded-gc"];
// Networks that tests start do not change the user's file of contexts.
process.env["VEDETTE_CONTEXTS"] = join(tmpdir(), `vedette-test-contexts-${process.pid}.json`);
// Programs that a machine may lack are tried beside other processes.
const env = { VEDETTE_TEST_DATABASES: "sqlite" };
// Tests whose subject is the process itself: its memory, its signals, its garbage.
const isolated = ["**/*.isolated.test.ts"];

/** The processes of a test are as short-lived as the test. */
const asUsual = process.env["NODE_OPTIONS"] ?? "";
process.env["NODE_OPTIONS"] = `${asUsual} --import=${new URL("scripts/optimizeLess.mjs", import.meta.url).href}`.trim();

/** The one limit on real time: it ends a test that hangs. Tests wait by `expect.poll` and `until`, without limits of their own. */
const patience = patienceMs();

/** Tests that start processes keep the output of these where they fail. */
const setupFiles = ["packages/development/testing/dist/evidence/keepEvidence.js"];

/** Whether what a project's tests wait for happens in other processes. */
function startsProcesses({ name }: { readonly name?: unknown } = {}): boolean {
  return !["default", "default-isolated", "integration"].includes(String(name));
}

/** Tests run as they were built; positions in errors are those of the sources. */
function project(test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  const server = { deps: { external: [/\/dist\//] } };
  return {
    plugins: [builtTests()],
    test: {
      ...{ server, execArgv: collecting, exclude: ignored },
      ...{ testTimeout: 5 * patience, hookTimeout: 5 * patience },
      // A look at a process takes its time from what is waited for.
      ...{ expect: { poll: { timeout: patience, interval: startsProcesses(test) ? 100 : 20 } }, ...test },
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers,
    globalSetup: "scripts/builtTests.mjs",
    reporters: ["./scripts/SourcePositions.mjs", "default", "./scripts/RunSummary.mjs"],
    projects: [
      // All others share a process for each worker, in which what they import is loaded once and not for each file.
      project({ name: "default", include: [everyTest], exclude: [...notDefault, ...isolated], isolate: false, env }),
      project({ name: "default-isolated", include: isolated, exclude: ignored }),
      // Whole nodes, chains and networks in one process.
      project({ name: "integration", include: integration, exclude: ignored, isolate: false, env }),
      // Commands and nodes as processes, each for itself; how fast they start is the machine's.
      project({ name: "processes", include: processes, setupFiles }),
      // One after the other by `npm run test:long`; they have all cases, and time for them.
      project({
        ...{ name: "long", include: long, setupFiles, fileParallelism: false, testTimeout: 30 * patience },
        env: { VEDETTE_TEST_CASES: "all", NODE_OPTIONS: asUsual },
      }),
      // Whole networks in real time: two at once, since they wait for blocks most of the time.
      project({ name: "network", include: network, setupFiles }),
      // The explorer in Chromium, against a chain; what needs a browser is left out where there is none.
      project({ name: "browser", include: browser, fileParallelism: false }),
      // The released packages, installed: on each Node.js, from each package.
      project({
        ...{ name: "release", include: release, fileParallelism: false, env: { NODE_OPTIONS: asUsual } },
      }),
    ],
  },
});
