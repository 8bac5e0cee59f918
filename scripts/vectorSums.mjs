// node scripts/vectorSums.mjs: writes vectors/SHA256SUMS anew, for all files beside it.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../vectors", import.meta.url));
const lines = readdirSync(folder, { recursive: true, encoding: "utf8" })
  // suite.json is edited by hand: what it lists, the vectors themselves refute.
  .filter((name) => /\.(gz|bin|jsonl?)$/.test(name) && !name.endsWith("suite.json"))
  .map((name) => name.replaceAll("\\", "/"))
  .sort()
  .map(
    (name) =>
      `${createHash("sha256")
        .update(readFileSync(join(folder, name)))
        .digest("hex")}  ${name}`,
  );
writeFileSync(join(folder, "SHA256SUMS"), `${lines.join("\n")}\n`);
