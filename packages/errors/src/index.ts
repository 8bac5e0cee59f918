export { errorText } from "./errorText.js";
export { withoutPasswords } from "./withoutPasswords.js";
