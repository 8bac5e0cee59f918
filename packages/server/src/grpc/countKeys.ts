import { Code, ConnectError, type Interceptor } from "@connectrpc/connect";
import { Health } from "@vedette/api/grpc";
import { type ApiKeys, keyHeaders } from "../keys/ApiKeys.js";

/**
 * Calls with an API key count for it; where keys are required, calls without one end as `Unauthenticated`, but for the
 * question whether the node is well.
 *
 * @spec 50 §1.17
 */
export function countKeys(keys: ApiKeys): Interceptor {
  return (next) => async (request) => {
    const { header, service } = request;
    const given = {
      authorization: header.get(keyHeaders.authorization) ?? undefined,
      key: header.get(keyHeaders.key) ?? undefined,
    };
    const verdict = keys.judge(given, performance.now(), service.typeName === Health.typeName);
    if (verdict.kind === "refused") throw new ConnectError(verdict.reason, Code.Unauthenticated);
    const waitSeconds = verdict.kind === "counted" ? await verdict.waitSeconds : 0;
    if (verdict.kind === "counted" && waitSeconds > 0) {
      const metadata = { "retry-after": String(waitSeconds) };
      const text = `Too many requests with the key ${verdict.name}; send the next one in ${waitSeconds} s.`;
      throw new ConnectError(text, Code.ResourceExhausted, metadata);
    }
    return next(request);
  };
}
