/** Functions of the bundled SQLite that were reviewed and that clients' SQL queries may not use. */
export const refusedFunctions: readonly string[] = `atn2 bm25 changes charindex cot coth difference fts3_tokenizer fts5
  fts5_source_id geopoly_area geopoly_bbox geopoly_blob geopoly_ccw geopoly_contains_point geopoly_debug
  geopoly_group_bbox geopoly_json geopoly_overlap geopoly_regular geopoly_svg geopoly_within geopoly_xform highlight
  jsonb jsonb_array jsonb_extract jsonb_group_array jsonb_group_object jsonb_insert jsonb_object jsonb_patch
  jsonb_remove jsonb_replace jsonb_set last_insert_rowid last_rows_affected leftstr libsql_vector_idx load_extension
  lower_quartile lsmode match matchinfo median mode offsets optimize padc padl padr proper randomblob readfile regexp
  regexpi replicate reverse rightstr rtreecheck rtreedepth rtreenode sha3 sha3_query snippet sqlite3mc_codec_data
  sqlite3mc_config sqlite3mc_config_table sqlite3mc_version sqlite_compileoption_get sqlite_compileoption_used
  sqlite_crypt sqlite_log sqlite_source_id sqlite_version square stdev strfilter subtype total_changes upper_quartile
  uuid uuid_blob uuid_str variance vector vector16 vector1bit vector32 vector64 vector8 vector_distance_cos
  vector_distance_l2 vector_extract vectorb16 writefile zeroblob`.split(/\s+/);

/** Refused modules. Those of settings are listed only once they are used; their names begin with `pragma_`. */
export const refusedModules: readonly string[] = `carray dbstat fsdir fts3 fts3tokenize fts4 fts4aux fts5 fts5vocab
  generate_series geopoly rtree rtree_i32 sqlite_dbpage sqlite_stmt vector_top_k`.split(/\s+/);
