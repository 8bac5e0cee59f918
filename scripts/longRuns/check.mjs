// npm run check:long
// npm run -s check:long -- --due: prints the files that should be run, for `npm run test:long -- …`
import { fileURLToPath } from "node:url";
import { checkLongRuns, dueLongRuns } from "./checkLongRuns.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
if (process.argv.includes("--due")) for (const test of dueLongRuns(root)) console.log(test);
else {
  const { lines, isWell } = checkLongRuns(root);
  for (const line of lines) console.log(line);
  process.exit(isWell ? 0 : 1);
}
