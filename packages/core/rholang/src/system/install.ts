import { BindPattern, EVar, FreeVar, Par, SystemContinuation } from "@vedette/terms";
import type { Space } from "@vedette/tuplespace";
import { fixedChannel, fixedChannels } from "./channels.js";

interface Installed {
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly continuation: SystemContinuation;
}

const installedProcesses: readonly Installed[] = fixedChannels.flatMap(({ byte, bodyRef, arity }) =>
  bodyRef === undefined
    ? []
    : [
        {
          channels: [fixedChannel(byte)],
          patterns: [new BindPattern(freeVariables(arity), undefined, arity)],
          continuation: new SystemContinuation(BigInt(bodyRef)),
        },
      ],
);

/**
 * Attaches the built-in processes to their fixed channels. The space remembers them: they are there again after
 * each reset, checkpoint and revert, and never become part of a state.
 *
 * @spec 21 §8.2, 30 §1.7
 */
export function installSystemProcesses(space: Pick<Space, "install">): void {
  for (const { channels, patterns, continuation } of installedProcesses)
    space.install(channels, patterns, continuation);
}

function freeVariables(count: number): Par[] {
  return Array.from({ length: count }, (_, level) =>
    Par.of({ exprs: [new EVar(new FreeVar(level))], connectiveUsed: true }),
  );
}
