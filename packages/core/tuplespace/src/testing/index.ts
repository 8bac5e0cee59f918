export { findLeaf } from "../history/findLeaf.js";
export { RadixNode } from "../history/RadixNode.js";
export { Leaf } from "../leaf/Leaf.js";
export { looksOfData, looksOfPattern } from "../space/looks.js";
export { checkItems } from "../statePages/checkItems.js";
export { decodePath, element, encodePath } from "../statePages/path.js";
export { buildTree } from "./buildTree.js";
export { EventState, knowledgeOf, type StateKnowledge } from "./EventState.js";
export { anyPattern, freePattern, int, matchBy, name, simpleMatch, text } from "./simpleMatch.js";
