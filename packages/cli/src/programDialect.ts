import type { Random, RustRandom, SplittableRandom } from "@vedette/crypto";
import { type ExecutionForm, rustExecution, scalaExecution } from "@vedette/execution";
import { type Interpreter, rustInterpreter, scalaInterpreter } from "@vedette/rholang";
import { type Par, printPar, printRustPar } from "@vedette/terms";

/** By whose rules a program is compiled, run and shown where no network says it. @spec 20 §1, 61 §4 */
export interface ProgramDialect<Generator extends Random<Generator>> {
  readonly interpreter: Interpreter<Generator>;
  /** @throws {PrintError} */
  readonly print: (par: Par) => string;
  /** The names of a deploy, so that programs which declare them compile. @spec 41 §2.4, 61 §5 */
  readonly environment: ReadonlyMap<string, Par>;
}

/** Programs as the reference node has them. */
export const scalaPrograms: ProgramDialect<SplittableRandom> = {
  interpreter: scalaInterpreter,
  print: printPar,
  environment: environmentOf(scalaExecution),
};

/** Programs as the newer node has them. */
export const rustPrograms: ProgramDialect<RustRandom> = {
  interpreter: rustInterpreter,
  print: printRustPar,
  environment: environmentOf(rustExecution),
};

/** Of a deploy that nobody signed. */
function environmentOf(form: ExecutionForm): ReadonlyMap<string, Par> {
  const deployer = new Uint8Array(65).map((_, index) => (index === 0 ? 4 : 0x11));
  return form.deployEnvironment({ signature: new Uint8Array(70).fill(0x22), deployer });
}
