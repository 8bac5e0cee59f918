/** Runs two tasks concurrently; if one fails, aborts the other. @throws the error of the first one */
export async function runBothOrAbort<One, Other>(
  signal: AbortSignal,
  one: (signal: AbortSignal) => Promise<One>,
  other: (signal: AbortSignal) => Promise<Other>,
): Promise<[One, Other]> {
  const stopped = new AbortController();
  const both = AbortSignal.any([signal, stopped.signal]);
  const stop = (error: unknown) => {
    stopped.abort(error);
    throw error;
  };
  return Promise.all([one(both).catch(stop), other(both).catch(stop)]);
}
