import { conditionCodes, conditions } from "@vedette/api";
import { code, page, table } from "../markdown.js";

/** Every way in which a node stands still, with what to do about it. */
export function conditionsPage(): string {
  const rows = conditionCodes.map((name) => {
    const { what, advice, isUnready } = conditions[name];
    return [code(name), what, isUnready ? "no" : "yes", advice];
  });
  return page(
    "Conditions",
    "the table of `packages/api/src/value/conditions.ts`",
    introduction,
    table(["name", "what holds", "ready", "what to do"], rows),
  );
}

const introduction = [
  "A node that stands still, or does less than it is there for, says so by one of these names, with the reason and since",
  "when: in `syncStatus.conditions` of `/status`, `/api/status` and `/health/ready`, in the log when it begins and when it",
  "is over, in `vedette status` and `vedette top`, and as the metric `vedette_condition`, which is 1 while it holds. The",
  "worst comes first, and its reason stands in `lastError` as well. Where the table says that the node is not ready,",
  "`/health/ready` answers 503.",
].join(" ");
