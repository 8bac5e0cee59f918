import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// The source is beside this file, the compiled module is not.
const source = fileURLToPath(new URL("../../src/soak/movedClock.c", import.meta.url));

/** The wall clock of one process, which can be set while it runs. Linux with a C compiler only. */
export class AdjustableClock {
  /** Variables of the process's environment. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #path: string;

  private constructor(path: string, library: string) {
    this.#path = path;
    this.variables = { SOAK_CLOCK: path, LD_PRELOAD: library };
    writeFileSync(path, Buffer.alloc(8));
  }

  /** @returns why there is none, where the machine cannot make one */
  static in(folder: string): AdjustableClock | string {
    if (process.platform !== "linux") return "only Linux can preload a clock";
    const library = join(folder, "movedClock.so");
    const { status, error } = spawnSync("cc", ["-O2", "-shared", "-fPIC", "-o", library, source], { stdio: "ignore" });
    if (error !== undefined || status !== 0) return "there is no C compiler (cc)";
    return new AdjustableClock(join(folder, "clock"), library);
  }

  /** @param milliseconds how far from the machine's clock; less than 0 is behind it */
  moveTo(milliseconds: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(milliseconds));
    // In its place: the process has mapped the file.
    writeFileSync(this.#path, bytes, { flag: "r+" });
  }
}
