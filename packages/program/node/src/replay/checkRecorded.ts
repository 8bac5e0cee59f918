/** The required form of a value in a recording. @returns where and how it differs; `undefined`: it is right */
export type ValueCheck = (value: unknown, at: string) => string | undefined;

/** The form that a line of `blocks.jsonl` must have so that it can be compared. */
export const checkFacts: ValueCheck = (value, at) =>
  membersOf({
    ...{ hash: isText, number: isInteger, seqNum: isInteger, postState: isText },
    bonds: listOf(membersOf({ validator: isText, stake: isInteger })),
    deploys: listOf(
      membersOf({ id: isText, cost: isInteger, failed: isBoolean, systemError: orAbsent(isText, "nullToo") }),
    ),
    rejectedDeploys: orAbsent(listOf(isRejected)),
    appliedFromScope: orAbsent(listOf(isText)),
    ...{ mergeBase: orAbsent(isText), floor: orAbsent(isText), frontier: orAbsent(isText, "nullToo") },
  })(value, at);

/** The form of `network.json`. */
export const checkNetwork: ValueCheck = (value, at) =>
  membersOf({
    dialect: orAbsent(isText, "nullToo"),
    shard: orAbsent(isText, "nullToo"),
    networkId: orAbsent(isText, "nullToo"),
    maxNumberOfParents: orAbsent(isInteger, "nullToo"),
    faultToleranceThreshold: orAbsent(isNumber, "nullToo"),
    epochLength: orAbsent(isInteger, "nullToo"),
    ruleSet: orAbsent(isText, "nullToo"),
  })(value, at);

/** The form of `dag.json`. */
export const checkDag: ValueCheck = (value, at) =>
  membersOf({
    lastFinalizedBlock: orAbsent(isText, "nullToo"),
    invalidBlocks: orAbsent(listOf(isText), "nullToo"),
    latestMessages: orAbsent(listOf(membersOf({ validator: isText, block: isText })), "nullToo"),
  })(value, at);

const isText = kind("a text", (value) => typeof value === "string");
const isBoolean = kind("true or false", (value) => typeof value === "boolean");
const isNumber = kind("a number", (value) => typeof value === "number");
/** Larger ones than a number holds are texts. */
const isInteger = kind(
  "a whole number",
  (value) => Number.isInteger(value) || (typeof value === "string" && /^-?\d+$/.test(value)),
);

const isRejected: ValueCheck = (value, at) => {
  if (typeof value === "string") return undefined;
  return membersOf({ id: isText, duplicate: orAbsent(isBoolean), carrier: orAbsent(isText) })(value, at);
};

function kind(wanted: string, fits: (value: unknown) => boolean): ValueCheck {
  return (value, at) => {
    if (fits(value)) return undefined;
    return value === undefined ? `${at} is missing` : `${at} is ${shown(value)} and has to be ${wanted}`;
  };
}

function orAbsent(check: ValueCheck, absence: "leftOut" | "nullToo" = "leftOut"): ValueCheck {
  return (value, at) =>
    value === undefined || (absence === "nullToo" && value === null) ? undefined : check(value, at);
}

function listOf(check: ValueCheck): ValueCheck {
  const isList = kind("a list", Array.isArray);
  return (value, at) => {
    const fault = isList(value, at);
    if (fault !== undefined) return fault;
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      const found = check(item, `${at}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function membersOf(checks: Readonly<Record<string, ValueCheck>>): ValueCheck {
  const isObject = kind("an object", (value) => typeof value === "object" && value !== null && !Array.isArray(value));
  return (value, at) => {
    const fault = isObject(value, at === "" ? "it" : at);
    if (fault !== undefined) return fault;
    for (const [name, check] of Object.entries(checks)) {
      const found = check((value as Readonly<Record<string, unknown>>)[name], at === "" ? name : `${at}.${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

const longestShown = 40;

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
