// A Debian package: the folder with a Node.js of its own, a service, its configuration.
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { ar, tarGz } from "./archive.mjs";
import { filesFolder, root, version } from "./checkout.mjs";

const configFile = "etc/vedette/rnode.conf";

/** @param linuxFolder made by `makeLinuxFolder` @param folder for what is put together */
export function makeDeb(file, linuxFolder, folder) {
  rmSync(folder, { recursive: true, force: true });
  const data = join(folder, "data");
  for (const name of ["bin", "node", "app"])
    cpSync(join(linuxFolder, name), join(data, "usr/lib/vedette", name), { recursive: true });
  put(join(filesFolder, "vedette.service"), join(data, "usr/lib/systemd/system/vedette.service"));
  put(join(filesFolder, "rnode.conf"), join(data, configFile));
  put(join(filesFolder, "deb/copyright"), join(data, "usr/share/doc/vedette/copyright"));
  for (const path of ["install.md", "how-to/operations.md", "reference/licences.md"])
    put(join(root, "docs", path), join(data, "usr/share/doc/vedette", basename(path)));
  mkdirSync(join(data, "usr/bin"), { recursive: true });
  symlinkSync("../lib/vedette/bin/vedette", join(data, "usr/bin/vedette"));
  const files = filesOf(data);
  writeControl(join(folder, "control"), data, files);
  writeFileSync(join(folder, "debian-binary"), "2.0\n");
  tarGz(join(folder, "control.tar.gz"), join(folder, "control"), ["."]);
  tarGz(join(folder, "data.tar.gz"), data, ["."]);
  ar(
    file,
    ["debian-binary", "control.tar.gz", "data.tar.gz"].map((name) => join(folder, name)),
  );
}

function writeControl(folder, data, files) {
  mkdirSync(folder, { recursive: true });
  for (const name of ["postinst", "prerm", "postrm"]) {
    copyFileSync(join(filesFolder, "deb", name), join(folder, name));
    chmodSync(join(folder, name), 0o755);
  }
  writeFileSync(join(folder, "conffiles"), `/${configFile}\n`);
  const sizeKb = Math.ceil(files.reduce((sum, path) => sum + statSync(path).size, 0) / 1024);
  const control = readFileSync(join(filesFolder, "deb/control"), "utf8");
  writeFileSync(join(folder, "control"), control.replace("@version@", version).replace("@size@", String(sizeKb)));
  const sums = files
    .map((path) => relative(data, path))
    .filter((path) => path !== configFile)
    .map(
      (path) =>
        `${createHash("md5")
          .update(readFileSync(join(data, path)))
          .digest("hex")}  ${path}\n`,
    );
  writeFileSync(join(folder, "md5sums"), sums.join(""));
}

/** Regular files, sorted; modes become those of a package. */
function filesOf(folder) {
  const found = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    if (!entry.isFile()) continue;
    chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755);
    found.push(path);
  }
  chmodSync(folder, 0o755);
  return found.sort();
}

function put(from, to) {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
}
