/** Long enough for a server that answers. */
const goodbyeMs = 1_000;

/**
 * Closes a connection a moment after the signal: what waits for a server that has gone would do so for as long as one
 * may take to answer, one question after another.
 *
 * @param connection may be closed more than once
 */
export function closeAfter(signal: AbortSignal, connection: AsyncDisposable): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const close = async () => {
    await connection[Symbol.asyncDispose]();
  };
  const begin = () => {
    timer = setTimeout(() => void close().catch(() => undefined), goodbyeMs);
  };
  signal.addEventListener("abort", begin, { once: true });
  if (signal.aborted) begin();
  return {
    [Symbol.dispose]() {
      signal.removeEventListener("abort", begin);
      clearTimeout(timer);
    },
  };
}
