/** The plan of a load generator. */
export type LoadPlan = RequestPlan | SubscriptionPlan;

/** The same request again and again, on connections that are kept open. */
export interface RequestPlan {
  readonly kind: "requests";
  readonly port: number;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: string;
  /** Connections, each with one request under way. */
  readonly clients: number;
  /** Ends the load after this time; default: it runs until it is stopped. */
  readonly milliseconds?: number;
}

/** Readers of server-sent events. */
export interface SubscriptionPlan {
  readonly kind: "subscriptions";
  readonly port: number;
  readonly path: string;
  readonly clients: number;
}

/** The result of a plan. */
export interface LoadResult {
  readonly seconds: number;
  /** Answers with status 200, or events that were received. */
  readonly done: number;
  /** Answers with another status, and connections that broke. */
  readonly failed: number;
  /** Milliseconds: of a request's answer, or of an event's last reader after its first. */
  readonly p50: number;
  readonly p99: number;
}
