export { dropOldest } from "./dropOldest.js";
export { errorText } from "./errorText.js";
export { withoutPasswords } from "./withoutPasswords.js";
