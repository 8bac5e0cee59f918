// The code that writes an index; a node's main thread leaves it to another one.
export { isDamage, openWholeDatabase, sumUp } from "./database/indexSum.js";
export { type IndexDatabase, openDatabase } from "./database/openDatabase.js";
export type { IndexBlockFacts, IndexChange } from "./facts/IndexBlockFacts.js";
export type { ChainFeed, FeedBlocks, FeedChanges, FeedTop } from "./follow/ChainFeed.js";
export { IndexFollower } from "./follow/IndexFollower.js";
export { RemoteFeed } from "./follow/RemoteFeed.js";
export { rebuildIndex } from "./follow/rebuildIndex.js";
