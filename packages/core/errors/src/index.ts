export { dropOldest } from "./dropOldest.js";
export { errorClass } from "./errorClass.js";
export { errorText } from "./errorText.js";
export { withoutPasswords } from "./withoutPasswords.js";
