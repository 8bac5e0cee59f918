const word = /[\p{L}\p{N}_']$/u;
const wordStart = /^[\p{L}\p{N}_']/u;
/** What becomes one token, or the beginning of a comment, when it stands together. @spec 20 §2.2, §2.4 */
const joined = [
  "...",
  ",)",
  "%%",
  "++",
  "--",
  "/\\",
  "\\/",
  "<=",
  ">=",
  "==",
  "!=",
  "=>",
  "<-",
  "<<-",
  "!!",
  "!?",
  "?!",
].concat(["//", "/*", "bundle+", "bundle-"]);

/** Whether two tokens would be read as others without a blank between them. @spec 20 §2 */
export function mustSeparate(left: string, right: string): boolean {
  if (word.test(left) && wordStart.test(right)) return true;
  return joined.some((sign) => isSplitBy(sign, left, right));
}

/** Whether `sign` begins within `left` and goes on in `right`. */
function isSplitBy(sign: string, left: string, right: string): boolean {
  for (let taken = 1; taken < sign.length; taken += 1)
    if (left.endsWith(sign.slice(0, taken)) && right.startsWith(sign.slice(taken, taken + 1))) return true;
  return false;
}
