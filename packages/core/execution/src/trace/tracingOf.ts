import type { EvaluationTrace } from "@vedette/rholang";
import type { DeployTracing } from "../runtime/Runtime.js";
import type { SpaceListener } from "./TracedSpace.js";

/** Has a tracer told of what a deploy's program does on a space, and of nothing else. */
export function tracingOf(
  trace: EvaluationTrace & SpaceListener,
  space: { listener: SpaceListener | undefined },
): DeployTracing {
  return {
    trace,
    begin: () => {
      space.listener = trace;
    },
    end: () => {
      space.listener = undefined;
    },
  };
}
