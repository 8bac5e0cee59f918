import { type BitSet, emptyBitSet, exprLocallyFree, Par, unionBits } from "@vedette/terms";

/** The free variables of an item of a collection, worked out anew from its parts but the connectives. @spec 21 §5.3 */
export function itemLocallyFree(item: Par): BitSet {
  let free = emptyBitSet;
  for (const send of item.sends) free = unionBits(free, send.locallyFree);
  for (const receive of item.receives) free = unionBits(free, receive.locallyFree);
  for (const each of item.news) free = unionBits(free, each.locallyFree);
  for (const expr of item.exprs) free = unionBits(free, exprLocallyFree(expr, 0));
  for (const match of item.matches) free = unionBits(free, match.locallyFree);
  for (const bundle of item.bundles) free = unionBits(free, bundle.body.locallyFree);
  return free;
}

/** The item with its free variables worked out anew; the item itself where they are the same. @spec 21 §5.3 */
export function withItemLocallyFree(item: Par): Par {
  const free = itemLocallyFree(item);
  if (free.length === 0 && item.locallyFree.length === 0) return item;
  return Par.of({ ...item, locallyFree: free });
}
