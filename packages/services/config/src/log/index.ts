export { isJournal } from "./journal.js";
export { error, info, type Level, type Line, type Lines, lineOf, linesOf, warn } from "./Line.js";
export { areaNames, areLogLevels, LogLevels, levelNames } from "./LogLevels.js";
export { LossyLines } from "./LossyLines.js";
export { createLog, type Log, type LogStream, printable } from "./logger.js";
