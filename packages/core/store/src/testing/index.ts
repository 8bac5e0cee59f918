export { contentOfImage, type DiskImage, diskImage, type ImageContent } from "./diskImages.js";
