/** Names that no program can write down. @spec 20 §5 (message GUnforgeable) */
export type Unforgeable = GPrivate | GDeployId | GDeployerId | GSysAuthToken | EmptyUnforgeable;

export class GPrivate {
  readonly kind = "GPrivate";
  constructor(readonly id: Uint8Array) {}
}

export class GDeployId {
  readonly kind = "GDeployId";
  constructor(readonly signature: Uint8Array) {}
}

export class GDeployerId {
  readonly kind = "GDeployerId";
  constructor(readonly publicKey: Uint8Array) {}
}

export class GSysAuthToken {
  readonly kind = "GSysAuthToken";
}

/** A GUnforgeable whose oneof is unset; only bytes from outside can hold it. */
export class EmptyUnforgeable {
  readonly kind = "EmptyUnforgeable";
}

export const sysAuthToken = new GSysAuthToken();
export const emptyUnforgeable = new EmptyUnforgeable();
