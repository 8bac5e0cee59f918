// npm run check:long
import { fileURLToPath } from "node:url";
import { checkLongRuns } from "./checkLongRuns.mjs";

const { lines, isWell } = checkLongRuns(fileURLToPath(new URL("../..", import.meta.url)));
for (const line of lines) console.log(line);
process.exit(isWell ? 0 : 1);
