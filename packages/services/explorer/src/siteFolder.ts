import { fileURLToPath } from "node:url";

/**
 * Where the built site lies: `index.html`, and below `explorer/assets` files with names that change with their content.
 */
export const siteFolder = fileURLToPath(new URL("../dist/site", import.meta.url));
