/** Names of headers, and of gRPC metadata: where an answer comes from, and how high it is to come from at least. @spec 50 §1.16 */
export const headHeader = "vedette-block";
export const minBlockHeader = "vedette-min-block";
/** The name of a query parameter. */
export const minBlockParameter = "minBlock";
