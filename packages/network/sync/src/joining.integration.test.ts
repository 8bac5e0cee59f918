import { chainsThatAreThere, ownChain } from "@vedette/testing";
import { joiningTests } from "./testing/joiningTests.js";

joiningTests({ tips: chainsThatAreThere("merge"), killed: [ownChain], others: [ownChain] });
