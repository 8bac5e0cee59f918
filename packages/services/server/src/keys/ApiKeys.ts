import { RequestBudget, type RequestCounter } from "../http/RequestBudget.js";
import { type ApiKey, hashOfApiKey, looksLikeKey } from "./apiKeyFile.js";

/** Names of headers, and of gRPC metadata. @spec 50 §1.17 */
export const keyHeaders = { authorization: "authorization", key: "x-api-key" } as const;

/** The key headers of a request. */
export interface GivenKey {
  /** `authorization` */
  readonly authorization: string | undefined;
  /** `x-api-key` */
  readonly key: string | undefined;
}

/** How a request is treated, by its key. */
export type KeyVerdict =
  /** No key, and none is needed: the request counts for its address. */
  | { readonly kind: "anonymous" }
  | { readonly kind: "refused"; readonly reason: string }
  /** The request counts for its key. `waitSeconds`: when it may be sent again; 0: it is served. */
  | { readonly kind: "counted"; readonly name: string; readonly waitSeconds: number | Promise<number> };

/**
 * The keys that an operator has issued. A request with a key is counted for the key, from any address. One with an
 * unknown key is refused, so that its client notices the mistake.
 *
 * @spec 50 §1.17
 */
export class ApiKeys {
  readonly #isRequired: boolean;
  readonly #onUse: (name: string, isServed: boolean) => void;
  readonly #budget: RequestCounter;
  #byHash: ReadonlyMap<string, ApiKey> = new Map();

  /** @param isRequired whether requests without a key are refused */
  constructor(
    isRequired: boolean,
    onUse: (name: string, isServed: boolean) => void = () => {},
    budget: RequestCounter = new RequestBudget(),
  ) {
    [this.#isRequired, this.#onUse, this.#budget] = [isRequired, onUse, budget];
  }

  /** Only these are valid from now on; earlier requests with those that stay still count. */
  use(keys: readonly ApiKey[]): void {
    this.#byHash = new Map(keys.map((key) => [key.sha256, key]));
  }

  /** @param isFree whether it needs no key in any case */
  judge(given: GivenKey, nowMs: number, isFree = false): KeyVerdict {
    const text = textOf(given);
    if (text === undefined)
      return this.#isRequired && !isFree ? { kind: "refused", reason: required } : { kind: "anonymous" };
    const key = this.#byHash.get(hashOfApiKey(text));
    if (key === undefined) return isFree ? { kind: "anonymous" } : { kind: "refused", reason: unknown };
    const { name, sha256, requestsPerSecond, requestsAtOnce: burst } = key;
    const waitSeconds = this.#budget.take(sha256, nowMs, { burst, requestsPerSecond });
    if (typeof waitSeconds === "number") this.#onUse(name, waitSeconds === 0);
    else void waitSeconds.then((seconds) => this.#onUse(name, seconds === 0));
    return { kind: "counted", name, waitSeconds };
  }
}

const required = `An API key is needed here: send it as header ${keyHeaders.key}, or as authorization: Bearer <key>. Ask who runs this node.`;
const unknown = "This API key is not known here, or is no longer; ask who runs this node.";

/** Returns the key of a request. Other kinds of authorization are for a proxy in front of this server. */
function textOf({ authorization, key }: GivenKey): string | undefined {
  if (key !== undefined) return key;
  const bearer = /^bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return bearer !== undefined && looksLikeKey(bearer) ? bearer : undefined;
}
