// The default run tries SQLite alone, since it starts no other programs. This file tries PostgreSQL, too.
import "./follow/IndexFollower.test.js";
import "./graphql/GraphqlEngine.test.js";
import "./publicApi/PublicFeed.test.js";
import "./sql/SqlEngine.test.js";
import "./write/ChangeWriter.test.js";
