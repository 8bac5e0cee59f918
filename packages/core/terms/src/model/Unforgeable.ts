/** Names that no program can write down. @spec 20 §5 (message GUnforgeable) */
export type Unforgeable = GPrivate | GDeployId | GDeployerId | GSysAuthToken | EmptyUnforgeable;

/** A name that a `new` made. */
export class GPrivate {
  readonly kind = "GPrivate";
  constructor(readonly id: Uint8Array) {}
}

/** The name of a deploy: its signature. */
export class GDeployId {
  readonly kind = "GDeployId";
  constructor(readonly signature: Uint8Array) {}
}

/** The name of a deploy's signer. */
export class GDeployerId {
  readonly kind = "GDeployerId";
  constructor(readonly publicKey: Uint8Array) {}
}

/** The name by which contracts know the system itself. */
export class GSysAuthToken {
  readonly kind = "GSysAuthToken";
}

/** A GUnforgeable with an unset oneof; only bytes from outside can hold it. */
export class EmptyUnforgeable {
  readonly kind = "EmptyUnforgeable";
}

/** The one token. */
export const sysAuthToken = new GSysAuthToken();
/** The one empty name. */
export const emptyUnforgeable = new EmptyUnforgeable();
