// Clients of a node's gRPC services with the settings that grpc-js and connect have by themselves. They make the calls
// that a file lists, and write a line of JSON for each case: ../README.md.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { ConnectCaller } from "./ConnectCaller.mjs";
import { GrpcJsCaller } from "./GrpcJsCaller.mjs";

const [, , speaks, path] = process.argv;
const descriptors = await readFile(new URL("../.built/api.binpb", import.meta.url));
const caller = speaks === "grpc-js" ? new GrpcJsCaller(descriptors) : new ConnectCaller(descriptors, speaks);

/** One call, from its request to its status. */
async function call(one, request) {
  const result = { status: 0, text: "", elements: [], shown: "" };
  const exchange = caller.begin(one, request);
  if (one.cancelAfterMs > 0) setTimeout(exchange.cancel, one.cancelAfterMs);
  try {
    if (one.pauses > 0) await sleep(one.pauseMs);
    for await (const bytes of exchange.answers) {
      result.elements.push(createHash("sha256").update(bytes).digest("hex").slice(0, 16));
      if (one.shows && result.elements.length === 1) result.shown = Buffer.from(bytes).toString("hex");
      if (result.elements.length === one.cancelAfter) exchange.cancel();
      if (result.elements.length < one.pauses) await sleep(one.pauseMs);
    }
  } catch (error) {
    result.status = error.code ?? 2;
    result.text = error.rawMessage ?? error.details ?? error.message;
  }
  return result;
}

for (const one of JSON.parse(await readFile(path, "utf8"))) {
  const request = await readFile(one.request);
  const calls = [];
  while (calls.length < one.times) {
    if (calls.length > 0) await sleep(one.restMs);
    calls.push(...(await Promise.all(Array.from({ length: one.atOnce }, () => call(one, request)))));
  }
  await new Promise((resolve) => process.stdout.write(`${JSON.stringify({ name: one.name, calls })}\n`, resolve));
}
process.exit(0);
