// Which test files read recordings of the reference, or vectors of our own in their place.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const names = ["chainsThatAreThere", "vectorsDirectories", "sharedDirectory", "chainsDirectory", "vectorsDirectory"];
const isReader = new RegExp(`import \\{[^}]*\\b(${names.join("|")})\\b[^}]*\\} from "@vedette/testing"`);

/** @returns paths of test files below `packages`, long ones and those of whole networks too */
export function recordingReaders() {
  return readdirSync("packages")
    .flatMap((name) => testFiles(join("packages", name, "src")))
    .filter((path) => isReader.test(readFileSync(path, "utf8")))
    .sort();
}

function testFiles(folder) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name));
}
