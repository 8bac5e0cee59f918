import type { Attack } from "../Attack.js";
import type { AttackedNode } from "../AttackedNode.js";
import { absurdBlocks } from "./absurdBlocks.js";
import { compressedBlocks } from "./compressedBlocks.js";
import { fragmentBombs } from "./fragmentBombs.js";
import { hugePatterns } from "./hugePatterns.js";
import { largeBlocks } from "./largeBlocks.js";
import { malformedRequests } from "./malformedRequests.js";
import { manyAliases } from "./manyAliases.js";
import { oversizedMessages } from "./oversizedMessages.js";
import { pagesAtOperator } from "./pagesAtOperator.js";
import { pingsInAnothersName } from "./pingsInAnothersName.js";
import { silentConnections } from "./silentConnections.js";
import { sqlReachesFiles } from "./sqlReachesFiles.js";
import { sqlWithoutEnd } from "./sqlWithoutEnd.js";
import { takenPlaces } from "./takenPlaces.js";
import { unfinishedBodies } from "./unfinishedBodies.js";
import { unreadEvents } from "./unreadEvents.js";
import { unreadGraphqlAnswers } from "./unreadGraphqlAnswers.js";
import { unreadGrpcAnswers } from "./unreadGrpcAnswers.js";
import { unreadHttpAnswers } from "./unreadHttpAnswers.js";
import { unreadSubscriptions } from "./unreadSubscriptions.js";

/** Attacks on a node, in the order of the table. */
export const nodeAttacks: readonly Attack<AttackedNode>[] = [
  ...[sqlReachesFiles, sqlWithoutEnd, hugePatterns],
  ...[fragmentBombs, manyAliases, unreadSubscriptions, unreadGraphqlAnswers, takenPlaces],
  ...[largeBlocks, compressedBlocks, unreadHttpAnswers, unreadGrpcAnswers, unreadEvents, malformedRequests],
  pagesAtOperator,
  ...[absurdBlocks, pingsInAnothersName, silentConnections, unfinishedBodies, oversizedMessages],
];
