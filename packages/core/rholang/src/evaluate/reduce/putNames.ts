import type { Random } from "@vedette/crypto";
import { GPrivate, Par } from "@vedette/terms";
import type { Environment } from "../Environment.js";

/** This many names are made at once. */
const fewNames = 8;

/**
 * Puts new names into an environment, one for each variable of a `new`.
 *
 * PERF: a name costs 2 phlo and a hash. If one `new` has very many names, most may never be used: there each is made at
 * its first use.
 *
 * @spec 21 §3.3
 */
export function putNames<Generator extends Random<Generator>>(
  env: Environment,
  count: number,
  random: Generator,
): Environment {
  if (count > fewNames) {
    const start = random.fork();
    random.skip(count);
    return env.putLater(count, (place) => {
      const at = start.fork();
      at.skip(place);
      return drawnName(at);
    });
  }
  const names = new Array<Par>(count);
  for (let i = 0; i < count; i += 1) names[i] = drawnName(random);
  return env.putAll(names);
}

function drawnName(random: { next(): Uint8Array }): Par {
  return Par.of({ unforgeables: [new GPrivate(random.next())] });
}
