import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configTemplate } from "./configTemplate.js";
import { explainConfig } from "./explainConfig.js";
import { type KeyName, keyNames, keyOf, longOptionOf } from "./keys.js";
import { parseDurationMs, parseSize } from "./units.js";

const chapter = readFileSync(
  new URL("../../../../docs/protocol/50-apis-config-operations.md", import.meta.url),
  "utf8",
);

interface Row {
  readonly key: string;
  readonly type: string;
  readonly default: string;
  readonly options: readonly string[];
}

/** The table of 50 §5.3; its last rows hold a section each. */
function rows(): Row[] {
  const table = chapter.slice(chapter.indexOf("\n### 5.3 "), chapter.indexOf("\nDefault multi-sig keys:"));
  const lines = table.split("\n").filter((line) => line.startsWith("| `"));
  return lines.flatMap((line) => {
    const [first = "", type = "", value = "", option = ""] = line.slice(2).split(" | ");
    if (first.includes("(object opt)")) return sectionRows(first);
    const options = [...option.matchAll(/`(-\w|--[\w-]+)`/g)].map((found) => found[1]!);
    return [{ key: first.replaceAll("`", ""), type, default: /^`([^`]*)`/.exec(value)?.[1] ?? "", options }];
  });
}

function sectionRows(cell: string): Row[] {
  const section = /^`(\w+)`/.exec(cell)![1]!;
  return [...cell.matchAll(/`([\w-]+)` (Bool|Str|Int) `([^`]*)`/g)].map((found) => ({
    key: `${section}.${found[1]}`,
    type: found[2]!,
    default: found[3]!,
    options: [],
  }));
}

const types: Readonly<Record<string, readonly string[]>> = {
  Bool: ["flag"],
  Str: ["text", "path"],
  "Str opt": ["optionalText"],
  Path: ["path"],
  "Path opt": ["optionalPath"],
  Int: ["int", "port"],
  "Int opt": ["optionalInt"],
  Long: ["long"],
  "Long opt": ["optionalLong"],
  Dur: ["duration"],
  Dbl: ["decimal"],
  "Dbl (float32)": ["float"],
  peer: ["peer"],
  "list of Str": ["textList"],
  networks: ["networks"],
  header: ["proxyHeader"],
  history: ["stateHistory"],
  levels: ["logLevels"],
  workers: ["workers"],
  dialect: ["dialect"],
};

describe("the table of keys is the chapter's", () => {
  const all = rows();

  test("with the same keys, in any order", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(keyNames.toSorted()).toEqual(all.map(({ key }) => key).toSorted());
  });

  test.each(all)("$key", ({ key, type, default: text, options }) => {
    const known = keyOf(key as KeyName);
    expect(types[type]).toContain(known.type);
    const long = options.find((option) => option.startsWith("--"));
    const off = options.filter((option) => option.startsWith("--"))[1];
    expect(known.offOption).toBe(off);
    const shortName = options.find((option) => /^-\w$/.test(option));
    const isShared = key === "protocol-client.grpc-max-recv-message-size";
    expect(longOptionOf(key as KeyName)).toBe(isShared ? undefined : long?.slice(2));
    expect(/^(-\w),/.exec(known.option ?? "")?.[1]).toBe(shortName);
    if (known.type === "textList" || key === "default-data-dir") return;
    expect(normal(known.type, shown(known.default))).toBe(normal(known.type, text));
  });
});

function shown(value: ReturnType<typeof keyOf>["default"]): string {
  if (value === undefined) return "";
  if (typeof value !== "object") return String(value);
  return "sameAs" in value ? `\${${value.sameAs}}${value.followedBy ?? ""}` : value.join(",");
}

/** Defaults are compared as what they mean. */
function normal(type: string, text: string): string {
  if (text.startsWith("${") || text === "") return text;
  if (type === "duration") return String(parseDurationMs(text));
  if (type === "long" || type === "optionalLong") return String(parseSize(text));
  if (type === "decimal" || type === "float") return String(Number(text));
  return text.replace(/^(""|\[\])$/, "");
}

test("the template, taken as it is and with every comment removed, means the defaults", () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-template-"));
  const file = join(folder, "rnode.conf");
  const read = (text: string) => {
    writeFileSync(file, text);
    return explainConfig({ home: "/home", configFile: file, environment: {} });
  };
  try {
    const { config } = read("");
    expect(config).toBeDefined();
    expect(read(configTemplate()).config).toEqual(config);
    const settings = configTemplate()
      .split("\n")
      .filter((line) => / = /.test(line) && !line.includes("default-data-dir ="))
      .map((line) => line.replace(/^# /, ""));
    expect(settings).toHaveLength(keyNames.length - 1);
    const uncommented = read(settings.join("\n"));
    expect(uncommented.problems).toEqual([]);
    expect(uncommented.config).toEqual(config);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
