// The code that writes an index; a node's main thread leaves it to another one.
export { isDamage, openWholeDatabase, sumUp } from "./database/indexSum.js";
export { type IndexDatabase, openDatabase } from "./database/openDatabase.js";
export type { BlockFacts, ChainChange } from "./facts/BlockFacts.js";
export type { ChainFeed, FeedBlocks, FeedChanges, FeedTop } from "./follow/ChainFeed.js";
export { IndexFollower } from "./follow/IndexFollower.js";
export { RemoteFeed } from "./follow/RemoteFeed.js";
export { rebuildIndex } from "./follow/rebuildIndex.js";
