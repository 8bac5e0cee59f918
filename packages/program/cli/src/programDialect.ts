import type { F1r3nodeRandom, Random, SplittableRandom } from "@vedette/crypto";
import { type ExecutionDialect, f1r3nodeExecution, rnodeExecution } from "@vedette/execution";
import { f1r3nodeInterpreter, type Interpreter, rnodeInterpreter } from "@vedette/rholang";
import { type Par, printF1r3nodePar, printPar } from "@vedette/terms";

/** By whose rules a program is compiled, run and shown where no network says it. @spec 20 §1, 61 §4 */
export interface ProgramDialect<Generator extends Random<Generator>> {
  readonly interpreter: Interpreter<Generator>;
  /** @throws {PrintError} */
  readonly print: (par: Par) => string;
  /** The names of a deploy, so that programs which declare them compile. @spec 41 §2.4, 61 §5 */
  readonly environment: ReadonlyMap<string, Par>;
}

/** Programs as rnode has them. */
export const rnodePrograms: ProgramDialect<SplittableRandom> = {
  interpreter: rnodeInterpreter,
  print: printPar,
  environment: environmentOf(rnodeExecution),
};

/** Programs as f1r3node has them. */
export const f1r3nodePrograms: ProgramDialect<F1r3nodeRandom> = {
  interpreter: f1r3nodeInterpreter,
  print: printF1r3nodePar,
  environment: environmentOf(f1r3nodeExecution),
};

/** The deploy environment of a program without a signature, with fixed placeholder keys. */
function environmentOf(form: ExecutionDialect): ReadonlyMap<string, Par> {
  const deployer = new Uint8Array(65).map((_, index) => (index === 0 ? 4 : 0x11));
  return form.deployEnvironment({ signature: new Uint8Array(70).fill(0x22), deployer });
}
