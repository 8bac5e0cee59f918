export { columnsOf, cutLine, LiveText, type Screen, type ScreenSize, wrapLine } from "./LiveText.js";
export { escapeControls, isControl, plainText } from "./plainText.js";
export { barText, progressText, type ShownProgress } from "./progress.js";
export { type TableColumn, tableLines } from "./table.js";
export {
  type Colour,
  canPaint,
  coloursOf,
  noColours,
  type Output,
  type Paint,
  type Variables,
} from "./terminalCapabilities.js";
export { ageText, countText, memoryText, spanText, unknownText } from "./units.js";
