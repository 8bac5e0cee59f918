// node --import=scripts/optimizeLess.mjs: lets V8 compile and optimize fewer functions, as suits programs that end soon.
import { setFlagsFromString } from "node:v8";

// Functions are compiled at their first call, also those with a hint for early compilation.
setFlagsFromString("--max-lazy");
// Most functions of a test run a few times: with seven times the usual budget fewer are optimized, which takes a fifth
// off the processor's time. Newer versions of Node.js know no such budget, and optimize in cheaper steps.
setFlagsFromString("--interrupt-budget=1000000");
