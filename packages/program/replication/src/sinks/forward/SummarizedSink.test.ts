import { ClientError } from "@vedette/client";
import { expect, test } from "vitest";
import type { Sink, SinkEvent } from "../Sink.js";
import { type DeployLookup, SummarizedSink } from "./SummarizedSink.js";

const never = new AbortController().signal;
const included: SinkEvent = { id: "log-1", kind: "deployIncluded", key: "a", body: '{"deployId":"aa","cost":"7"}' };
const block: SinkEvent = { id: "log-2", kind: "blockAdded", key: "a", body: '{"blockHash":"bb"}' };

function delivering(lookUp: DeployLookup) {
  const bodies: string[] = [];
  const inner: Sink = {
    ...{ label: "inner", maxTotal: 2, maxConcurrent: 3 },
    open: async () => {},
    deliver: async (events) => void bodies.push(...events.map(({ body }) => body)),
    [Symbol.asyncDispose]: async () => {},
  };
  return { bodies, sink: new SummarizedSink(inner, lookUp) };
}

test("events of deploys contain what the deploy did, with amounts that no reader rounds; others stay as they are", async () => {
  const { bodies, sink } = delivering(async (deployId) => {
    expect(deployId).toBe("aa");
    const moved = { from: "1111a", to: "1111b", amount: 9_007_199_254_740_993n };
    return { summary: [{ type: "transfer", ...moved, outcome: "done", reason: null }] };
  });
  await sink.deliver([included, block], never);
  expect(bodies).toEqual([
    '{"deployId":"aa","cost":"7","summary":[{"type":"transfer","from":"1111a","to":"1111b","amount":"9007199254740993","outcome":"done","reason":null}]}',
    block.body,
  ]);
  expect([sink.label, sink.maxTotal, sink.maxConcurrent]).toEqual(["inner", 2, 3]);
});

test("a deploy that the node has no more, or an earlier node without this route, leaves the event as it is", async () => {
  const gone = delivering(() => {
    throw new ClientError({ code: "refused", call: "deployStatus", messages: ["unknown"], status: 404 });
  });
  await gone.sink.deliver([included], never);
  const earlier = delivering(async () => ({}));
  await earlier.sink.deliver([included], never);
  expect([gone.bodies, earlier.bodies]).toEqual([[included.body], [included.body]]);
});

test("while the node cannot be queried nothing is delivered, and the delivery is tried again", async () => {
  const { bodies, sink } = delivering(() => {
    throw new ClientError({ code: "unreachable", address: "http://127.0.0.1:1", reason: "refused" });
  });
  await expect(sink.deliver([included], never)).rejects.toMatchObject({ failure: { code: "notTaken" } });
  expect(bodies).toEqual([]);
});
