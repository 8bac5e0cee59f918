/** Does two things at the same time; where one fails, the other one is stopped. @throws what the first one threw */
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
