import type { EvaluationTrace } from "@vedette/rholang";
import type { DeployTracing } from "../runtime/Runtime.js";
import type { SpaceListener } from "./TracedSpace.js";

/** Reports the steps of a deploy's program on a space to a tracer, and nothing else. */
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
