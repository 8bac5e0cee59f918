export { GuidePages, guidePolicy } from "./GuidePages.js";
export { guideStyle } from "./guideStyle.js";
export { pageHeader, pageMark, pageStyle, themeScript } from "./pageFrame.js";
export { escapeHtml, type GuidePage } from "./renderPage.js";
