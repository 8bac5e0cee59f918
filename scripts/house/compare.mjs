// Compares what the rules find with the exceptions.

/**
 * Returns the findings beyond the exceptions, and exceptions that are not needed any more.
 *
 * @param found     `{ rule, path, line, what }` each
 * @param exceptions `{ rule, reason, places }` each; places give how many there are at most, by path. A path that ends
 *   with `/` is a folder.
 */
export function compare(found, exceptions) {
  const problems = [];
  const left = new Map();
  for (const one of found) {
    const key = placeOf(one, exceptions);
    if (key === undefined) problems.push(textOf(one));
    else left.set(key, [...(left.get(key) ?? []), one]);
  }
  for (const { rule, places } of exceptions)
    for (const [path, most] of Object.entries(places)) {
      const here = left.get(`${rule} ${path}`) ?? [];
      if (here.length > most)
        problems.push(`${path}: ${here.length} instead of ${most} (${rule}):`, ...here.map(textOf));
      if (here.length < most)
        problems.push(
          `scripts/house/exceptions.mjs: ${rule} of ${path} is ${here.length} now: lower it or take it out`,
        );
    }
  return problems;
}

function placeOf({ rule, path }, exceptions) {
  const places = exceptions.filter((one) => one.rule === rule).flatMap((one) => Object.keys(one.places));
  const place = places.find((one) => one === path) ?? places.find((one) => one.endsWith("/") && path.startsWith(one));
  return place === undefined ? undefined : `${rule} ${place}`;
}

function textOf({ rule, path, line, what }) {
  return `${path}:${line}: ${what} (${rule})`;
}
