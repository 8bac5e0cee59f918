/** Says where a long test is, so that one which hangs tells where. */
export class Stages {
  readonly #beganMs = performance.now();

  /** A stage begins. */
  begin(stage: string): void {
    const seconds = ((performance.now() - this.#beganMs) / 1_000).toFixed(1);
    process.stderr.write(`  ${seconds.padStart(6)} s  ${stage}\n`);
  }
}
