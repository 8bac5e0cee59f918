export { contentOfImage, diskImage, type ImageContent } from "./diskImages.js";
