export { isExplorerPage } from "./pages.js";
export { siteFolder } from "./siteFolder.js";
