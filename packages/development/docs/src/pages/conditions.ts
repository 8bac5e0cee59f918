import { conditionCodes, conditions } from "@vedette/api";
import { code, page, table } from "../markdown.js";

/** Every condition of a node, with its remedy. */
export function conditionsPage(): string {
  const rows = conditionCodes.map((name) => {
    const { what, advice, isUnready } = conditions[name];
    return [code(name), what, isUnready ? "no" : "yes", advice];
  });
  return page(
    "Conditions",
    "the table of `packages/services/api/src/value/conditions.ts`",
    introduction,
    table(["name", "meaning", "ready", "remedy"], rows),
  );
}

const introduction = [
  "For operators and scripts. A stalled or degraded node reports one of these stable names, with reason and time: in",
  "`syncStatus.conditions` of `/status`, `/api/status` and `/health/ready`, in the log when it begins and ends, in",
  "`vedette status` and `vedette top`, and as the metric `vedette_condition`, which is 1 while it holds. The worst comes",
  "first; `lastError` repeats its reason. If a node is not ready, `/health/ready` answers 503.",
].join(" ");
