import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { recordingReaders } from "./scripts/recordingReaders.mjs";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };
const everyTest = "{packages,scripts,contracts,editors}/**/*.test.ts";
const processes = ["**/*.process.test.ts"];
const slow = ["**/*.slow.test.ts"];
const network = ["**/*.network.test.ts"];
const clients = ["**/*.clients.test.ts"];
const release = ["**/*.release.test.ts"];
const browser = ["packages/explorer/**/*.browser.test.ts"];
const ignored = ["**/node_modules/**", "**/dist/**"];
const notDefault = [...ignored, ...processes, ...slow, ...network, ...clients, ...release, ...browser];
// One worker for each core but one, and two on small machines: much of a test is waiting for processes.
const maxWorkers = Math.max(2, availableParallelism() - 1);
// Networks that tests start are nobody's context.
process.env["VEDETTE_CONTEXTS"] = join(tmpdir(), `vedette-test-contexts-${process.pid}.json`);
// Packages whose tests share nothing but what they import, which is loaded once for each worker then, and not for each file.
const rules = "packages/{chain,execution,protocol,rholang,terms,tuplespace}/**/*.test.ts";

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        ...source,
        test: {
          name: "default",
          include: [everyTest],
          exclude: [...notDefault, rules],
          testTimeout: 60_000,
        },
      },
      {
        ...source,
        test: { name: "default-rules", include: [rules], exclude: notDefault, testTimeout: 60_000, isolate: false },
      },
      {
        ...source,
        // Commands and nodes as processes, each for itself.
        test: { name: "processes", include: processes, exclude: ignored, testTimeout: 60_000 },
      },
      {
        ...source,
        // What a checkout without the recordings does with the tests that read them.
        test: {
          name: "alone",
          include: recordingReaders(),
          exclude: [...ignored, ...processes, ...slow, ...network, ...clients, ...release],
          env: { VEDETTE_SHARED: "/nonexistent" },
          testTimeout: 60_000,
        },
      },
      {
        ...source,
        test: { name: "slow", include: slow, exclude: ignored, testTimeout: 1_800_000, fileParallelism: false },
      },
      {
        ...source,
        // Whole networks in real time.
        test: { name: "network", include: network, exclude: ignored, testTimeout: 600_000, fileParallelism: false },
      },
      {
        ...source,
        // Clients of other makes, built with the toolchains that are there: interop/README.md.
        test: { name: "clients", include: clients, exclude: ignored, testTimeout: 600_000, fileParallelism: false },
      },
      {
        ...source,
        // The explorer in Chromium, against a chain; what needs a browser is left out where there is none.
        test: { name: "browser", include: browser, exclude: ignored, testTimeout: 120_000, fileParallelism: false },
      },
      {
        ...source,
        // What people install, installed: on each Node.js, from each package.
        test: {
          name: "release",
          include: release,
          exclude: ignored,
          testTimeout: 600_000,
          hookTimeout: 600_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
