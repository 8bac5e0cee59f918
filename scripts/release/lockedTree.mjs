// The part of the checkout's lock file that some packages need.
import { join } from "node:path";
import { readJson, root, workspaces } from "./checkout.mjs";

const { packages } = readJson(join(root, "package-lock.json"));

/** The versions of what strangers wrote that workspaces import, by name; one version of each. */
export function foreignDependencies(folders) {
  const found = new Map();
  for (const { folder, manifest } of workspaces.values()) {
    if (!folders.has(folder)) continue;
    for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
      if (workspaces.has(name)) continue;
      if ((found.get(name) ?? wanted) !== wanted) throw new Error(`${name} is wanted in two versions`);
      found.set(name, wanted);
    }
  }
  return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * A lock file for a package with these dependencies: exactly what the checkout's own has for them, so that users run
 * what was tested, down to the last one.
 */
export function lockFor(manifest) {
  const places = new Map();
  for (const [name, wanted] of Object.entries(manifest.dependencies)) {
    take(places, { name, from: "", isOptional: false });
    const { version: found } = places.get(placeOf(name, ""));
    // Another version lies at the top for a tool's sake: name the wanted one in the checkout's own manifest.
    if (found !== wanted) throw new Error(`${name} is locked at the top as ${found}, not as ${wanted}`);
  }
  const { name, version, license, dependencies, bin, engines } = manifest;
  const sorted = [...places].sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { "": { name, version, license, dependencies, bin, engines }, ...Object.fromEntries(sorted) },
  };
}

/** Adds a package and all that it needs, each by its place. */
function take(places, { name, from, isOptional }) {
  const place = placeOf(name, from);
  if (place === undefined && !isOptional)
    throw new Error(`${name}, which ${from || "the package"} needs, is not in package-lock.json`);
  if (place === undefined || places.has(place)) return;
  const { dev: _dev, devOptional: _devOptional, ...locked } = packages[place];
  places.set(place, locked);
  const { dependencies = {}, optionalDependencies, peerDependencies } = locked;
  for (const needed of Object.keys(dependencies)) take(places, { name: needed, from: place, isOptional: false });
  for (const needed of Object.keys({ ...optionalDependencies, ...peerDependencies }))
    take(places, { name: needed, from: place, isOptional: true });
}

/** Where Node.js finds a package that is imported from a place, nearest first. */
function placeOf(name, from) {
  for (let folder = from; ; folder = folder.slice(0, folder.lastIndexOf("node_modules/")).replace(/\/$/, "")) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
    if (packages[place] !== undefined) return place;
    if (folder === "") return undefined;
  }
}
