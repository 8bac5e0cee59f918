/**
 * The addresses of the explorer. All but the first begin with a word that no route of the API has, so that neither
 * hides the other; `$` represents one part that the page reads.
 */
export const pagePaths = [
  "/",
  "/explorer/blocks",
  "/explorer/block/$hash",
  "/explorer/deploys",
  "/explorer/deploy/$id",
  "/explorer/transfers",
  "/explorer/accounts",
  "/explorer/account/$address",
  "/explorer/validators",
  "/explorer/validator/$key",
  "/explorer/epochs",
  "/explorer/dag",
  "/explorer/network",
  "/explorer/state",
  "/explorer/registry",
  "/explorer/contract/$uri",
  "/explorer/statistics",
  "/explorer/playground",
  "/explorer/verification",
  "/explorer/search",
] as const;

const patterns = pagePaths.map(
  (path) => new RegExp(`^${path.replaceAll(/\$\w+/g, "[^/]+")}${path === "/" ? "" : "/?"}$`),
);

/** Whether a path, without its query, is one of the explorer's own. */
export function isExplorerPage(path: string): boolean {
  return patterns.some((pattern) => pattern.test(path));
}
