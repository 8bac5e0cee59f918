// `npm run release`: makes what people install, under release/.
//   node scripts/release/main.mjs                  everything
//   node scripts/release/main.mjs --npm            the two npm packages, and the extension for VS Code
//   node scripts/release/main.mjs --app <folder>   the program with what it imports, for an image
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeApp } from "./appFolder.mjs";
import { tarGz } from "./archive.mjs";
import { root, version } from "./checkout.mjs";
import { stageClient } from "./clientPackage.mjs";
import { makeDeb } from "./debPackage.mjs";
import { makeLinuxFolder } from "./linuxFolder.mjs";
import { ownNode } from "./nodeBinary.mjs";
import { pack, stageProgram } from "./programPackage.mjs";
import { makeExtension } from "./vscodeExtension.mjs";

const release = join(root, "release");
const work = join(release, ".work");
const [only, folder] = process.argv.slice(2);

if (only === "--app") await makeApp(folder);
else {
  mkdirSync(work, { recursive: true });
  report([...(await npmPackages()), ...(only === "--npm" ? [] : await linuxPackages())]);
}

async function npmPackages() {
  await stageProgram(join(work, "program"));
  await stageClient(join(work, "client"));
  const extension = await makeExtension(join(release, `vedette-rholang-${version}.vsix`));
  return [pack(join(work, "program"), release), pack(join(work, "client"), release), extension];
}

async function linuxPackages() {
  const app = join(work, "app");
  await makeApp(app);
  const linux = join(work, "vedette-linux-x64");
  makeLinuxFolder(linux, app, join(release, ".cache"));
  const archive = join(release, "vedette-linux-x64.tar.gz");
  tarGz(archive, work, ["vedette-linux-x64"]);
  const deb = join(release, `vedette_${version}_amd64.deb`);
  makeDeb(deb, linux, join(work, "deb"));
  rmSync(join(work, "deb"), { recursive: true });
  process.stdout.write(`Node.js ${ownNode} is in the packages for Linux\n`);
  return [archive, deb];
}

function report(files) {
  const sums = files.map((file) => {
    const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
    process.stdout.write(`${basename(file).padEnd(28)} ${String(statSync(file).size).padStart(10)} bytes  ${hash}\n`);
    return `${hash}  ${basename(file)}\n`;
  });
  writeFileSync(join(release, "SHA256SUMS"), sums.join(""));
}
