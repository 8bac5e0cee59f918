export type Dialect = "rnode" | "f1r3node";

/** A kind of program with a variable size. */
export interface PriceFamily {
  /** The program of size `n`. */
  readonly source: (n: number) => string;
  /** A small size, with which a run takes some milliseconds. */
  readonly from: number;
  /** The greatest size that the limits of programs let through. */
  readonly most?: number;
  /** Left out: both. */
  readonly dialect?: Dialect;
  /** Whether it begins after a genesis with system contracts, as a deploy; left out: on an empty state. */
  readonly isDeploy?: true;
}

export type PriceFamilies = Readonly<Record<string, PriceFamily>>;

/** Does something `n` times, one after the other; `@n` counts down. */
export const times = (step: string, n: number) =>
  `new loop in { contract loop(@n) = { match n { 0 => Nil _ => { ${step} | loop!(n - 1) } } } | loop!(${n}) }`;

export const list = (n: number, item: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => item(at)).join(", ");
export const beside = (n: number, item: (at: number) => string) =>
  Array.from({ length: n }, (_, at) => item(at)).join(" | ");

/** Calls itself with a value that grows by each step. */
export const growing = (start: string, step: string, n: number) =>
  `new grow in { contract grow(@n, @v) = { match n { 0 => Nil _ => grow!(n - 1, ${step}) } } | grow!(${n}, ${start}) }`;

/** Receives that wait, then sends on the same channel. */
export const waiting = (receive: (at: number) => string, send: (at: number) => string, n: number) =>
  `new c, go in { ${beside(n, receive)} | go!(Nil) | for (_ <- go) { ${beside(n, send)} } }`;

/** Sends that lie, then receives on the same channel. */
export const lying = (send: (at: number) => string, receive: (at: number) => string, n: number) =>
  waiting(send, receive, n);

/** As {@link waiting}, where two names mean one channel. */
export const sameChannel = (receive: (at: number) => string, send: (at: number) => string, n: number) =>
  `new x, names, go in { names!(*x, *x) | for (c, d <- names) { ${beside(n, receive)} | go!(Nil) | for (_ <- go) { ${beside(n, send)} } } }`;

/** Does something `n` times with one value, which lies ready as `v`. */
export const timesWith = (value: string, step: string, n: number) =>
  `new c in { c!(${value}) | for (@v <- c) { ${times(step, n)} } }`;

/** A collection that is large beside what is done with it. */
export const large = 2_000;
export const largeList = `[${list(large, String)}]`;
export const largePairs = `[${list(large, (at) => `(${at}, 0)`)}]`;
export const largeSet = `Set(${list(large, String)})`;
export const largeMap = `{${list(large, (at) => `${at}: 0`)}}`;
export const largeText = `"${"0123456789".repeat(large / 10)}"`;

/** A method of a large value, which costs the same however large that is. */
export const ofLarge = (value: string, result: string): PriceFamily => ({
  from: 100,
  source: (n) => timesWith(value, `match ${result} { _ => Nil }`, n),
});

/** Joins of this many channels that match at once. */
export const join = (channels: number, n: number) => {
  const names = Array.from({ length: channels }, (_, at) => `c${at}`);
  const sends = names.map((name) => `${name}!(n)`).join(" | ");
  const binds = names.map((name) => `_ <- ${name}`).join(" & ");
  return `new ${names.join(", ")} in { ${times(`${sends} | for (${binds}) { Nil }`, n)} }`;
};
