import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";

/** Calls with a passed deadline end with that status, for any later result of their methods. @spec 50 §3.1 */
export const keepDeadlines: Interceptor = (next) => async (request) => {
  const response = await next(request);
  if (response.stream) return { ...response, message: inTime(response.message, request.signal) };
  requireTime(request.signal);
  return response;
};

async function* inTime<Message>(messages: AsyncIterable<Message>, signal: AbortSignal): AsyncGenerator<Message> {
  yield* messages;
  requireTime(signal);
}

/** @throws {ConnectError} `DeadlineExceeded` */
function requireTime({ aborted, reason }: AbortSignal): void {
  if (aborted && reason instanceof ConnectError && reason.code === Code.DeadlineExceeded) throw reason;
}

/** Calls that take longer end with `DeadlineExceeded`; a stream has begun by then. @spec 50 §3.1 */
export function endAfter(limitMs: number): Interceptor {
  return (next) => async (request) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      const error = () => new ConnectError("The call took too long.", Code.DeadlineExceeded);
      timer = setTimeout(() => reject(error()), limitMs).unref();
    });
    try {
      return await Promise.race([next(request), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
