// Exact lengths in nanoseconds, by the unit's names.
const durationUnits = unitTable<bigint>([
  [1n, "ns nano nanos nanosecond nanoseconds"],
  [1_000n, "us µs micro micros microsecond microseconds"],
  [1_000_000n, "ms milli millis millisecond milliseconds"],
  [1_000_000_000n, "s sec secs second seconds"],
  [60_000_000_000n, "m min minute minutes"],
  [3_600_000_000_000n, "h hour hours"],
  [86_400_000_000_000n, "d day days"],
]);
const nanosecondsOfMs = 1_000_000;

const sizeUnits = unitTable<bigint>([
  [1n, "B b byte bytes"],
  ...["kB kilobyte kilobytes", "MB megabyte megabytes", "GB gigabyte gigabytes"].map(power(1000n, 1)),
  ...["TB terabyte terabytes", "PB petabyte petabytes", "EB exabyte exabytes"].map(power(1000n, 4)),
  ...["K k Ki KiB kibibyte kibibytes", "M m Mi MiB mebibyte mebibytes", "G g Gi GiB gibibyte gibibytes"].map(
    power(1024n, 1),
  ),
  ...["T t Ti TiB tebibyte tebibytes", "P p Pi PiB pebibyte pebibytes", "E e Ei EiB exbibyte exbibytes"].map(
    power(1024n, 4),
  ),
]);

const longest = 40;
const largestLong = 2n ** 63n - 1n;

/**
 * Reads a length of time; a whole number without unit is in milliseconds.
 *
 * @spec 50 §5.2
 * @param needsUnit whether a number without unit is refused, as on the command line; `0` never needs one
 * @returns milliseconds; `undefined` where the text is no length of time
 */
export function parseDurationMs(text: string, needsUnit = false): number | undefined {
  const { digits, fraction, unit } = splitQuantity(text) ?? {};
  if (digits === undefined || fraction === undefined || unit === undefined) return undefined;
  if (unit === "") {
    const isZero = /^0+$/.test(digits);
    if (fraction !== "" || (needsUnit && !isZero)) return undefined;
  }
  const scale = durationUnits.get(unit === "" ? "ms" : unit);
  if (scale === undefined) return undefined;
  const nanoseconds = multiply(digits, fraction, scale);
  return nanoseconds > largestLong ? undefined : Number(nanoseconds) / nanosecondsOfMs;
}

/**
 * Reads a number of bytes, blocks, phlo, or anything else of 64 bits, exactly.
 *
 * @spec 50 §5.2
 * @returns `undefined` where the text is no such number, or does not fit
 */
export function parseSize(text: string): bigint | undefined {
  const { digits, fraction, unit } = splitQuantity(text) ?? {};
  if (digits === undefined || fraction === undefined || unit === undefined) return undefined;
  const scale = sizeUnits.get(unit === "" ? "B" : unit);
  if (scale === undefined) return undefined;
  const size = multiply(digits, fraction, scale);
  return size > largestLong ? undefined : size;
}

type Quantity = { readonly digits: string; readonly fraction: string; readonly unit: string };

function splitQuantity(text: string): Quantity | undefined {
  const trimmed = text.trim();
  if (trimmed.length > longest) return undefined;
  const found = /^(\d+)(?:\.(\d+))?\s*([A-Za-zµ]*)$/.exec(trimmed);
  return found === null ? undefined : { digits: found[1]!, fraction: found[2] ?? "", unit: found[3]! };
}

/** The whole part of a decimal number times a scale. */
function multiply(digits: string, fraction: string, scale: bigint): bigint {
  return (BigInt(digits + fraction) * scale) / 10n ** BigInt(fraction.length);
}

function unitTable<T>(rows: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(rows.flatMap(([scale, names]) => names.split(" ").map((name) => [name, scale] as const)));
}

function power(base: bigint, firstExponent: number): (names: string, index: number) => readonly [bigint, string] {
  return (names, index) => [base ** BigInt(firstExponent + index), names];
}
