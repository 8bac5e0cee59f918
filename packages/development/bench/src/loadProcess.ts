import { constants, setPriority } from "node:os";
import { createInterface } from "node:readline";
import type { LoadPlan } from "./LoadPlan.js";
import { RequestLoad } from "./requestLoad.js";
import { SubscriptionLoad } from "./subscriptionLoad.js";

// A process of its own, which makes load on a node: a plan a line of its input; the lines `pause`, `go on`
// and `end` are for what is under way.
// In earnest clients are elsewhere: while all cores are busy they do not take the node's time.
if (process.argv.includes("--yielding")) setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

let current: RequestLoad | SubscriptionLoad | undefined;
let timer: NodeJS.Timeout | undefined;

function end(): void {
  clearTimeout(timer);
  if (current === undefined) return;
  process.stdout.write(`${JSON.stringify(current.end())}\n`);
  current = undefined;
}

function begin(plan: LoadPlan): void {
  if (plan.kind === "subscriptions") {
    current = new SubscriptionLoad(plan);
    return;
  }
  current = new RequestLoad(plan);
  if (plan.milliseconds !== undefined) timer = setTimeout(end, plan.milliseconds);
}

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") end();
  else if (line === "pause") current?.pause();
  else if (line === "go on") current?.goOn();
  else begin(JSON.parse(line) as LoadPlan);
}
process.exit();
