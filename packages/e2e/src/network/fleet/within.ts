/**
 * Waits for something, and not for ever.
 *
 * @param what for the error, such as `a snapshot is made`
 * @throws Error where it takes longer; what was waited for goes on
 */
export async function within<Value>(what: string, ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Says where a long test is, so that one which hangs tells where. */
export class Stages {
  readonly #beganMs = performance.now();

  /** A stage begins. */
  begin(stage: string): void {
    const seconds = ((performance.now() - this.#beganMs) / 1_000).toFixed(1);
    process.stderr.write(`  ${seconds.padStart(6)} s  ${stage}\n`);
  }
}
