export { GuidePages, guidePolicy } from "./GuidePages.js";
export { guideStyle } from "./guideStyle.js";
export { frameScript, pageHeader, pageMark, pageStyle } from "./pageFrame.js";
export { escapeHtml, type GuidePage } from "./renderPage.js";
