import { Worker } from "node:worker_threads";
import { lowerPriority } from "@vedette/executor/threads";
import { openReader } from "../database/IndexReader.js";
import { type GraphqlAnswer, GraphqlEngine } from "../graphql/GraphqlEngine.js";
import { SqlEngine } from "../sql/SqlEngine.js";
import type { HostMessage, QueryHostSettings, Question } from "./QueryHost.js";

/** Answers have no reader when the parent is gone; SQLite's work cannot be waited for. */
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

/** The bytes that are sent at once. */
const partBytes = 256 << 10;

process.once("message", ({ place, graphql, isPartial }: QueryHostSettings) => {
  openReader(place).then(
    (reader) => {
      const [engine, sql] = [new GraphqlEngine(reader, graphql, isPartial), new SqlEngine(reader, isPartial)];
      process.on("message", ({ id, ...question }: Question & { readonly id: number }) => {
        const answer =
          question.method === "graphql"
            ? engine.answer(question.argument).then((made) => printed(() => sendGraphqlAnswer(id, made)))
            : sql.answer(question.argument).then((result) => send({ kind: "answer", id, result }));
        answer.catch((error: unknown) =>
          send({ kind: "failed", id, message: error instanceof Error ? error.message : String(error) }),
        );
      });
      void send({ kind: "ready" });
    },
    () => endNow(),
  );
});

let allPrinted: Promise<void> = Promise.resolve();

/** Has answers printed one at a time: each may take many times the memory of what was read for it. */
function printed(print: () => Promise<void>): Promise<void> {
  const done = allPrinted.then(print);
  allPrinted = done.catch(() => undefined);
  return done;
}

/** Prints an answer, and sends it in parts as fast as the node takes them. */
async function sendGraphqlAnswer(id: number, { body, ...rest }: GraphqlAnswer): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  for (let at = 0; at < bytes.length; at += partBytes)
    await send({ kind: "part", id, bytes: bytes.subarray(at, at + partBytes), allBytes: bytes.length });
  await send({ kind: "answer", id, result: rest });
}

/** Resolves when it has gone out. */
function send(message: HostMessage): Promise<void> {
  return new Promise((resolve) => {
    process.send!(message, undefined, {}, () => resolve());
  });
}
