export { MadeChain, madeDeploy } from "./MadeChain.js";
