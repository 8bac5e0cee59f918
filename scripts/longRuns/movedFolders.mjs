// Where the folders of packages were before each had a layer. Commits from before the move touch the earlier paths.

/** Folder → its earlier path, for those with other names than before. */
const renamed = [
  ["packages/services/executor", "packages/workers"],
  ["packages/services/language/src/lsp", "packages/lsp/src"],
  ["packages/services/config/src/log", "packages/log/src"],
  ["packages/services/queries/src/events", "packages/events/src"],
  ["packages/services/server/src/guide", "packages/guide/src"],
  ["packages/program/replication/src/snapshot", "packages/snapshot/src"],
  ["packages/program/replication/src/stream", "packages/stream/src"],
  ["packages/program/replication/src/sinks", "packages/sinks/src"],
  ["packages/program/devtools/src/dev", "packages/dev/src"],
  ["packages/program/devtools/src/devnet", "packages/devnet/src"],
  ["packages/program/devtools/src/contractTests", "packages/contract-tests/src"],
];

/**
 * Returns all paths that a folder has had.
 *
 * @param {string} folder of a package, or a folder in one
 * @returns {string[]} the folder, its earlier path, and those of folders in it that were elsewhere
 */
export function pathsOf(folder) {
  const isIn = (path, other) => path === other || path.startsWith(`${other}/`);
  const place = renamed.find(([now]) => isIn(folder, now)) ?? [];
  const [now = folder, before = folder.replace(/^packages\/[^/]+\//, "packages/")] = place;
  const within = renamed.filter(([path]) => path !== folder && isIn(path, folder)).map(([, path]) => path);
  return [...new Set([folder, before + folder.slice(now.length), ...within])];
}
