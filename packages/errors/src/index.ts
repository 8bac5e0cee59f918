export { errorText } from "./errorText.js";
