import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { satisfies } from "semver";
import { describe, expect, test } from "vitest";
import { packageFolders } from "./packageFolders.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const text = (path: string) => readFileSync(join(root, path), "utf8");

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly engines?: { readonly node?: string };
  readonly hasInstallScript?: boolean;
}

const { packages } = JSON.parse(text("package-lock.json")) as { packages: Record<string, Locked> };
const foreign = Object.entries(packages).filter(
  ([place, { link }]) => place.includes("node_modules/") && link !== true,
);

/**
 * They require nothing of the program's users but to keep their notices; those of MPL and OFL (fonts) stay as they are.
 */
const allowedLicences = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MPL-2.0",
  "OFL-1.1",
  "Unlicense",
]);

describe("what strangers wrote", () => {
  test("is what it was when it was locked, from a registry and from nowhere else", () => {
    expect(foreign.length).toBeGreaterThan(200);
    for (const [place, { version, resolved, integrity }] of foreign) {
      expect(integrity, place).toMatch(/^sha512-[\w+/]{86}==$/);
      expect(version, place).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
      if (resolved !== undefined) expect(resolved, place).toMatch(/^https:\/\/[^/]+\/.+\.tgz$/);
    }
  });

  test("has licences that we know, all of them listed", () => {
    for (const [place, { license = "none" }] of foreign) {
      const names = license.replace(/[()]/g, "").split(/ AND | OR /);
      expect([place, names.filter((name) => !allowedLicences.has(name))]).toEqual([place, []]);
    }
    execFileSync(process.execPath, ["scripts/licences.mjs", "--check"], { cwd: root });
  });

  test("runs nothing while it is installed; what has such scripts comes prebuilt", () => {
    expect(text(".npmrc").split("\n")).toContain("ignore-scripts=true");
    const withScripts = foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(withScripts.map(([place]) => place.replace("node_modules/", ""))).toEqual([
      "koffi",
      "lmdb",
      "msgpackr-extract",
      "protobufjs",
      "secp256k1",
    ]);
  });

  test("fits every Node.js that Vedette runs on, so that an installation warns of nothing", () => {
    // The oldest that is promised, and the first and a late version of each line with long support.
    const versions = ["20.19.0", "20.20.2", "22.13.0", "22.22.0", "24.0.0", "24.12.0", "26.0.0"];
    expect(satisfies("20.19.0", (JSON.parse(text("package.json")) as { engines: { node: string } }).engines.node)).toBe(
      true,
    );
    const withEngines = foreign.filter(([, { engines }]) => engines?.node !== undefined);
    expect(withEngines.length).toBeGreaterThan(100);
    // No maintained client of Kafka requires less; npm warns about it on the first patches of 20.19, where it works.
    const known = ["node_modules/@platformatic/kafka 1.22.0"];
    const misfits = withEngines.flatMap(([place, { version, engines }]) => {
      const refused = versions.filter((node) => !satisfies(node, engines!.node!));
      return refused.length === 0 ? [] : [`${place} ${version} wants ${engines!.node}, not ${refused.join()}`];
    });
    expect(misfits.map((text) => text.split(" wants ")[0])).toEqual(known);
    expect(misfits[0]).toMatch(/, not 20\.19\.0$/);
  });

  test("is named by exact versions in our own manifests", () => {
    const manifests = ["package.json", "contracts/package.json", "editors/vscode/package.json"];
    for (const folder of packageFolders(root)) manifests.push(`${folder}/package.json`);
    for (const path of manifests) {
      const { dependencies = {}, devDependencies = {} } = JSON.parse(text(path)) as Record<
        string,
        Record<string, string>
      >;
      for (const [name, version] of [...Object.entries(dependencies), ...Object.entries(devDependencies)])
        expect(version, `${name} in ${path}`).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    }
  });
});
