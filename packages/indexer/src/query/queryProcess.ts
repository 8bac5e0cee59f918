import { Worker } from "node:worker_threads";
import { lowerPriority } from "@vedette/workers/threads";
import { openReader } from "../database/IndexReader.js";
import { GraphqlEngine } from "../graphql/GraphqlEngine.js";
import { SqlEngine } from "../sql/SqlEngine.js";
import type { HostMessage, QueryHostSettings, Question } from "./QueryHost.js";

/** Nobody reads answers when the parent is gone; SQLite's work cannot be waited for. */
const endNow = () => process.kill(process.pid, "SIGKILL");

// SQLite looks for rows while this thread waits, so that another one looks whether the parent lives.
const watch = `const { workerData } = require("node:worker_threads");
  setInterval(() => { if (process.ppid !== workerData) process.kill(process.pid, "SIGKILL"); }, 1000);`;
new Worker(watch, { eval: true, workerData: process.ppid, execArgv: [] }).unref();

process.on("disconnect", endNow);
// A terminal sends these to the whole group: the node ends its processes when it has done with them.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});
lowerPriority("reader");

process.once("message", ({ place, graphql, isPartial }: QueryHostSettings) => {
  openReader(place).then(
    (reader) => {
      const [engine, sql] = [new GraphqlEngine(reader, graphql, isPartial), new SqlEngine(reader, isPartial)];
      process.on("message", ({ id, ...question }: Question & { readonly id: number }) => {
        const answer = question.method === "graphql" ? engine.answer(question.argument) : sql.answer(question.argument);
        answer.then(
          (result) => tell({ kind: "answer", id, result }),
          (error: unknown) =>
            tell({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) }),
        );
      });
      tell({ kind: "ready" });
    },
    () => endNow(),
  );
});

function tell(message: HostMessage): void {
  process.send!(message);
}
