export { serveLanguage } from "./serveLanguage.js";
