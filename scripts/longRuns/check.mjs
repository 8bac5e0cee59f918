// npm run check:long
import { fileURLToPath } from "node:url";
import { checkLongRuns } from "./checkLongRuns.mjs";

const { lines, isWell } = checkLongRuns(fileURLToPath(new URL("../..", import.meta.url)), {
  isCi: (process.env["CI"] ?? "") !== "",
});
for (const line of lines) console.log(line);
process.exit(isWell ? 0 : 1);
