// The extension for VS Code. A .vsix is a zip of the extension's folder with two files that describe it.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { rolldown } from "rolldown";
import { readJson, root } from "./checkout.mjs";

const folder = join(root, "editors/vscode");
/** The same time in every archive and time zone: zip knows no time zones. */
const fileTime = new Date(2020, 0, 1);
const types = { cjs: "application/javascript", json: "application/json", md: "text/markdown", txt: "text/plain" };

/** Packs the extension. @param file where to @returns the file */
export async function makeExtension(file) {
  const manifest = readJson(join(folder, "package.json"));
  const { devDependencies: _, private: __, type: ___, ...published } = manifest;
  const entries = {
    "extension/package.json": `${JSON.stringify(published, null, 2)}\n`,
    "extension/README.md": text(folder, "README.md"),
    "extension/LICENSE.txt": text(root, "LICENSE"),
    "extension/language-configuration.json": text(folder, "language-configuration.json"),
    "extension/dist/extension.cjs": await bundled(),
    "extension.vsixmanifest": vsixManifest(manifest),
    "[Content_Types].xml": contentTypes(),
  };
  for (const name of readdirSync(join(folder, "syntaxes")))
    entries[`extension/syntaxes/${name}`] = text(join(folder, "syntaxes"), name);
  const zip = zipSync(Object.fromEntries(Object.entries(entries).map(([name, body]) => [name, strToU8(body)])), {
    level: 9,
    mtime: fileTime,
  });
  writeFileSync(file, zip);
  return file;
}

function text(place, name) {
  return readFileSync(join(place, name), "utf8");
}

/** The compiled extension with the language client in one file; the editor has `vscode`. */
async function bundled() {
  const build = await rolldown({
    input: join(folder, "dist/extension.js"),
    platform: "node",
    external: ["vscode"],
    onLog: (level, { message }) => {
      if (level === "warn") throw new Error(message);
    },
  });
  const { output } = await build.generate({ format: "cjs", codeSplitting: false });
  await build.close();
  return output[0].code;
}

function vsixManifest({ name, displayName, description, version, publisher, categories, engines }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="${name}" Version="${version}" Publisher="${publisher}" />
    <DisplayName>${displayName}</DisplayName>
    <Description xml:space="preserve">${description}</Description>
    <Categories>${categories.join(",")}</Categories>
    <License>extension/LICENSE.txt</License>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${engines.vscode}" />
    </Properties>
  </Metadata>
  <Installation>
    <InstallationTarget Id="Microsoft.VisualStudio.Code" />
  </Installation>
  <Dependencies />
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true" />
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true" />
  </Assets>
</PackageManifest>
`;
}

function contentTypes() {
  const all = { ...types, vsixmanifest: "text/xml" };
  const defaults = Object.entries(all).map(([end, type]) => `<Default Extension=".${end}" ContentType="${type}" />`);
  return `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${defaults.join("")}</Types>
`;
}
