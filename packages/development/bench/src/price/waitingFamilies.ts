import { join, lying, type PriceFamilies, sameChannel, waiting } from "./PriceFamily.js";

/** A Par of f1r3node has no number of terms between 128 and 257 (61 §6.1). */
const aboveSplits = 300;

/** Much that waits or lies on one channel, and joins. */
export const waitingFamilies: PriceFamilies = {
  "joins of two": { from: 100, source: (n) => join(2, n) },
  "joins of four": { from: 100, source: (n) => join(4, n) },
  "joins of eight": { from: 50, source: (n) => join(8, n) },
  "receives that wait and match": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@_ <- c) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that never match": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@("never", ${at}) <- c) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives whose kind never matches": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@[x, y] <- c) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that never match, two values": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@1, @2 <- c) { Nil }",
        (at) => `c!(${at + 3}, 2)`,
        n,
      ),
  },
  "receives by key": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@${at}, @x <- c) { Nil }`,
        (at) => `c!(${at}, Nil)`,
        n,
      ),
  },
  "receives by text key in a tuple": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@("key ${at}", x) <- c) { Nil }`,
        (at) => `c!(("key ${at}", ${at}))`,
        n,
      ),
  },
  "data by key": {
    from: aboveSplits,
    source: (n) =>
      lying(
        (at) => `c!(${at}, Nil)`,
        (at) => `for (@${at}, @x <- c) { Nil }`,
        n,
      ),
  },
  "joins that share a channel": {
    from: aboveSplits,
    most: 6_400,
    source: (n) =>
      waiting(
        (at) => `for (_ <- c & _ <- @${at}) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that match last": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => (at === 0 ? "contract c(@_) = { Nil }" : `for (@("never", ${at}) <- c) { Nil }`),
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives by key inside a send": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@{@0!(${at}, x)} <- c) { Nil }`,
        (at) => `c!({@0!(${at}, Nil)})`,
        n,
      ),
  },
  "receives by key deep in lists": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@[[${at}, x]] <- c) { Nil }`,
        (at) => `c!([[${at}, Nil]])`,
        n,
      ),
  },
  "receives by key in a map": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@{"key": ${at}, ...r} <- c) { Nil }`,
        (at) => `c!({"key": ${at}, "value": Nil})`,
        n,
      ),
  },
  "receives by a set": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@Set(${at}, "key") <- c) { Nil }`,
        (at) => `c!(Set(${at}, "key"))`,
        n,
      ),
  },
  "receives by key behind a guard": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@x <- c where x == ${at}) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives of processes": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@{for (@x <- @${at}) { y }} <- c) { Nil }`,
        (at) => `c!({for (@x <- @${at}) { Nil }})`,
        n,
      ),
  },
  "data that never match": {
    from: aboveSplits,
    source: (n) =>
      lying(
        (at) => `c!(${at})`,
        (at) => `for (@("never", ${at}) <- c) { Nil }`,
        n,
      ),
  },
  "data that match last": {
    from: aboveSplits,
    source: (n) =>
      lying(
        (at) => (at === 0 ? 'c!!("last")' : `c!(${at})`),
        () => "for (@{x /\\ String} <- c) { Nil }",
        n,
      ),
  },
  "data by key inside a send": {
    from: aboveSplits,
    source: (n) =>
      lying(
        (at) => `c!({@0!(${at}, Nil)})`,
        (at) => `for (@{@0!(${at}, x)} <- c) { Nil }`,
        n,
      ),
  },
  "receives of several processes": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@{x | y | 5} <- c) { Nil }",
        (at) => `c!(${at} | ${at + 1} | 5)`,
        n,
      ),
  },
  "receives of several processes that never match": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@{x | y | 5} <- c) { Nil }",
        (at) => `c!("a" | "b" | ${at + 6})`,
        n,
      ),
  },
  "receives by key beside other processes": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        (at) => `for (@{@${at}!(x) | y} <- c) { Nil }`,
        (at) => `c!({@${at}!(1) | @"a"!(2)})`,
        n,
      ),
  },
  "receives of a kind": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@{x /\\ String} <- c) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives of a kind behind data": {
    from: aboveSplits,
    source: (n) =>
      lying(
        (at) => `c!(${at})`,
        () => "for (@{x /\\ String} <- c) { Nil }",
        n,
      ),
  },
  "receives by text key behind a guard": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@x, r <- c where x == "key ${at}" and 1 == 1) { Nil }`,
        (at) => `c!("key ${n - 1 - at}", Nil)`,
        n,
      ),
  },
  "receives of a kind behind a guard": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        () => 'for (@{x /\\ String} <- c where x != "") { Nil }',
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that compare by a guard": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@x <- c where x < 0 - ${at}) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives that compare by a range": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@x <- c where not (x < ${at}) and x < ${at + 1}) { Nil }`,
        (at) => `c!(${n - 1 - at})`,
        n,
      ),
  },
  "receives by key and a guard that compares": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@"key ${at}", @x <- c where x > 0) { Nil }`,
        (at) => `c!("key ${n - 1 - at}", 1)`,
        n,
      ),
  },
  "receives that calculate in a guard": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        (at) => `for (@x <- c where x * 2 < 0 - ${at}) { Nil }`,
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives with a guard without a value": {
    from: aboveSplits,
    dialect: "f1r3node",
    source: (n) =>
      waiting(
        () => "for (@x <- c where x matches String) { Nil }",
        (at) => `c!(${at})`,
        n,
      ),
  },
  "receives by a part of an element of a set": {
    from: aboveSplits,
    source: (n) =>
      waiting(
        () => "for (@{Set({{1 /\\ Int} | _})} <- c) { Nil }",
        (at) => `c!(Set({${at + 2}: 1}))`,
        n,
      ),
  },
  "two data of one channel": {
    from: aboveSplits,
    source: (n) =>
      sameChannel(
        () => "for (@x <- c & @y <- d) { Nil }",
        (at) => `c!(${at}) | c!("b")`,
        n,
      ),
  },
  "two data that one channel never has": {
    from: aboveSplits,
    source: (n) =>
      sameChannel(
        () => 'for (@"no" <- c & @"never" <- d) { Nil }',
        (at) => `c!(${at})`,
        n,
      ),
  },
};
