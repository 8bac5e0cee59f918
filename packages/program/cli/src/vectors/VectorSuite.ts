import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkForkChoice, isForkChoiceFile } from "@vedette/chain";
import { type DialectName, findDialectName } from "@vedette/config";
import { checkSystemDeploys, isSystemDeployFile } from "@vedette/execution";
import { type CheckedVector, f1r3nodeVectors, rnodeVectors, VectorChecks, vectorKindOf } from "@vedette/rholang";
import { type DamagedFile, findDamagedFiles } from "./checksums.js";
import { tallyVectors, type VectorExpectations, type VectorFileResult } from "./tallyVectors.js";

/** The content of the `suite.json` of a folder of vectors; every part may be left out. */
interface SuiteFile {
  readonly dialect?: string;
  readonly notDetermined?: readonly string[];
  /** File below the folder, without `.jsonl.gz` → what this build does not answer as recorded yet, and why. */
  readonly knownFailures?: Readonly<Record<string, { readonly reason: string; readonly ids: readonly string[] }>>;
}

/** For vectors that came without a `suite.json`: a list of the ids that rnode does not determine. */
const undeterminedFile = "not-determined.json";

/** A file larger than this when unpacked is refused. */
const maxFileBytes = 256 << 20;

/** The files of recorded answers below a folder, with what is known of them. */
export class VectorSuite {
  readonly path: string;
  /** Paths of all files with vectors, sorted. */
  readonly files: readonly string[];
  readonly #dialect: DialectName | undefined;
  readonly #checks = { rnode: new VectorChecks(rnodeVectors), f1r3node: new VectorChecks(f1r3nodeVectors) };

  /**
   * @param path    a folder, searched through, or one file
   * @param dialect of the answers; `undefined`: that of the nearest `suite.json`, `rnode` without one
   */
  constructor(path: string, dialect?: DialectName) {
    this.path = path;
    this.#dialect = dialect;
    const files = statSync(path).isFile()
      ? [path]
      : readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name));
    this.files = files.filter((file) => this.#checkerOf(file) !== undefined).sort();
  }

  /** Returns the files that do not match the checksums beside them. */
  get damagedFiles(): readonly DamagedFile[] {
    return findDamagedFiles(this.path, this.files);
  }

  /** Checks the vectors of a file. @throws Error when it cannot be unpacked */
  check(file: string): VectorFileResult {
    const bytes = readFileSync(file);
    const text = (file.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: maxFileBytes }) : bytes).toString();
    // Only files that have a checker are in the list.
    return tallyVectors(this.#checkerOf(file)!(text), this.#expectationsOf(file));
  }

  /** Returns the dialect of the answers in a file. */
  dialectOf(file: string): DialectName {
    const { dialect } = suiteFileOf(file) ?? {};
    return this.#dialect ?? findDialectName(dialect) ?? "rnode";
  }

  #checkerOf(file: string): ((text: string) => Iterable<CheckedVector>) | undefined {
    const kind = vectorKindOf(file);
    if (kind !== undefined) return (text) => this.#checks[this.dialectOf(file)].lines(kind, text);
    if (isSystemDeployFile(file)) return checkSystemDeploys;
    return isForkChoiceFile(file) ? checkForkChoice : undefined;
  }

  #expectationsOf(file: string): VectorExpectations {
    const suite = suiteFileOf(file);
    const list = nearest(file, undeterminedFile);
    const loose: readonly string[] = list === undefined ? [] : readJson(list);
    const name = suite === undefined ? "" : relative(suite.folder, file).replace(/\.jsonl(\.gz)?$/, "");
    return {
      notDetermined: new Set([...(suite?.notDetermined ?? []), ...loose]),
      knownFailures: new Set(suite?.knownFailures?.[name]?.ids),
    };
  }
}

function suiteFileOf(file: string): (SuiteFile & { readonly folder: string }) | undefined {
  const path = nearest(file, "suite.json");
  return path === undefined ? undefined : { ...readJson<SuiteFile>(path), folder: dirname(path) };
}

/** Finds a file in the folder of another one, or up to two levels above. */
function nearest(file: string, name: string): string | undefined {
  return [".", "..", "../.."].map((above) => join(dirname(file), above, name)).find(existsSync);
}

function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(path, "utf8"));
}
