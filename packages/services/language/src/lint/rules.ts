import type { Rule } from "./Rule.js";
import { bundleMisuse } from "./rule/bundleMisuse.js";
import { contractWithoutReply } from "./rule/contractWithoutReply.js";
import { matchNever } from "./rule/matchNever.js";
import { race } from "./rule/race.js";
import { shadowedName } from "./rule/shadowedName.js";
import { unknownChannel, unknownMethod } from "./rule/unknownWord.js";
import { unusedName } from "./rule/unusedName.js";

/** Every rule of the linter. */
export const rules: readonly Rule[] = [
  unusedName,
  shadowedName,
  bundleMisuse,
  contractWithoutReply,
  matchNever,
  race,
  unknownChannel,
  unknownMethod,
];
