import * as inspector from "node:inspector";
import { promisify } from "node:util";

// A thread that runs programs has this module's functions no more (`confineThread`).
const { Session } = inspector;

/**
 * Collects all garbage of this thread, moves what is left together, and gives back the pages that are empty then, the
 * room for young objects among them. That room is up to two thirds of what a thread may take for them, and a usual
 * collection gives it back only where next to nothing was made in the five seconds before.
 *
 * It stops the thread for four to six milliseconds for each megabyte in use, twice as long as a usual collection.
 */
export async function reduceHeap(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    const post = promisify(session.post.bind(session)) as (method: string) => Promise<unknown>;
    await post("HeapProfiler.enable");
    await post("HeapProfiler.collectGarbage");
  } finally {
    session.disconnect();
  }
}
