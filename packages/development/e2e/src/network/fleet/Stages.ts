/** Prints the stages of a long test, so that the output of one that hangs shows where. */
export class Stages {
  readonly #beganMs = performance.now();

  /** A stage begins. */
  begin(stage: string): void {
    const seconds = ((performance.now() - this.#beganMs) / 1_000).toFixed(1);
    process.stderr.write(`  ${seconds.padStart(6)} s  ${stage}\n`);
  }
}
