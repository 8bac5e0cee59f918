import type { Random } from "@vedette/crypto";
import type { Interpreter } from "@vedette/rholang";
import type { ProgramStart } from "./ExecutionDialect.js";

/** A generator that an interpreter runs programs with. @param returnName of a system deploy, drawn in the dialect's way */
export function programStart<Generator extends Random<Generator>>(
  interpreter: Interpreter<Generator>,
  returnName: (random: Generator) => Uint8Array,
): (seed: Uint8Array, split?: number) => ProgramStart {
  return (seed, split) => {
    const whole = interpreter.random.fromSeed(seed);
    const random = split === undefined ? whole : whole.splitByte(split);
    return {
      takeReturnName: () => returnName(random),
      evaluate: (evaluation) => interpreter.evaluate({ ...evaluation, random }),
    };
  };
}
