export { GuidePages, guidePolicy } from "./GuidePages.js";
export { guideStyle } from "./guideStyle.js";
export type { GuidePage } from "./renderPage.js";
