export { FakeEventChain, madeDeploy } from "./FakeEventChain.js";
