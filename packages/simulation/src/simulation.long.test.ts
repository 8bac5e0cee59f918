import { expect, test } from "vitest";
import { replayLine } from "./run/printRequest.js";
import { requestsOf } from "./run/share.js";
import { simulate } from "./run/simulate.js";

const today = requestsOf(new Date(), 200, { steps: 5_000, execution: "fake", rule: "evidence" });

test(`200 networks hold to all checks (from seed ${today[0]!.seed})`, async () => {
  const failures: string[] = [];
  for (const request of today) {
    const { failure } = await simulate(request);
    if (failure !== undefined) failures.push(`${failure.message}\n${replayLine(request)}`);
  }
  expect(failures).toEqual([]);
});
