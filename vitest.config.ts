import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const source = { resolve: { conditions: ["source"] }, ssr: { resolve: { conditions: ["source"] } } };
const everyTest = "{packages,scripts,contracts}/**/*.test.ts";
const slow = ["**/*.slow.test.ts"];
const network = ["**/*.network.test.ts"];
const clients = ["**/*.clients.test.ts"];
// One worker for each core but one, and two on small machines: much of a test is waiting for processes.
const maxWorkers = Math.max(2, availableParallelism() - 1);
const ignored = ["**/node_modules/**", "**/dist/**"];

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        ...source,
        test: {
          name: "default",
          include: [everyTest],
          exclude: [...ignored, ...slow, ...network, ...clients],
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
    ],
  },
});
