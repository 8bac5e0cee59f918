// Makes archives with bytes that depend on their content alone: names sorted, one time, one owner.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { releaseTime } from "./checkout.mjs";

/** A gzipped tar of some entries of a folder. */
export function tarGz(file, folder, entries) {
  const args = ["--sort=name", `--mtime=@${releaseTime}`, "--owner=0", "--group=0", "--numeric-owner", "--format=gnu"];
  const tar = execFileSync("tar", [...args, "-C", folder, "-cf", "-", ...entries], { maxBuffer: 2 ** 30 });
  // Gzip's own header has no name and no time, as Node.js writes it.
  writeWhole(file, [gzipSync(tar, { level: 9 })]);
}

/** An archive of `ar`, as Debian packages are. @param files paths, the names in the archive are their last parts */
export function ar(file, files) {
  const parts = [Buffer.from("!<arch>\n")];
  for (const path of files) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    const { size } = statSync(path);
    const header = `${name.padEnd(16)}${String(releaseTime).padEnd(12)}${"0".padEnd(6)}${"0".padEnd(6)}${"100644".padEnd(8)}${String(size).padEnd(10)}\`\n`;
    parts.push(Buffer.from(header), readFileSync(path), Buffer.from(size % 2 === 1 ? "\n" : ""));
  }
  writeWhole(file, parts);
}

function writeWhole(file, parts) {
  const descriptor = openSync(file, "w");
  for (const part of parts) writeSync(descriptor, part);
  closeSync(descriptor);
}
