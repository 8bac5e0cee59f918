/**
 * Functions and types of PostgreSQL that a client's SQL query may use. All others are refused: some of its 3,000
 * functions read files, sleep, run other queries or change settings.
 */

const numbers = `abs cbrt ceil ceiling div exp floor gcd lcm ln log mod pi power random round sign sqrt trunc width_bucket`;
const texts = `ascii bit_length btrim char_length character_length chr concat concat_ws decode encode initcap left length
  like_escape lower ltrim md5 octet_length overlay position regexp_match regexp_matches regexp_replace replace reverse
  right rtrim similar_to_escape split_part starts_with strpos substr substring text to_char to_hex to_number translate
  trim upper`;
const times = `age clock_timestamp date date_bin date_part date_trunc extract isfinite justify_days justify_hours
  justify_interval make_date make_interval make_time make_timestamp make_timestamptz now timezone to_date to_timestamp`;
const lists = `array_agg array_length array_position array_to_string cardinality generate_series string_to_array unnest`;
const json = `json_agg json_array_elements json_array_elements_text json_array_length json_build_array json_build_object
  json_each json_each_text json_extract_path json_extract_path_text json_object_agg json_object_keys json_typeof
  jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object
  jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_object_agg jsonb_object_keys jsonb_pretty
  jsonb_typeof row_to_json to_json to_jsonb`;
const search = "plainto_tsquery phraseto_tsquery to_tsquery to_tsvector ts_rank websearch_to_tsquery";
const aggregates = `avg bool_and bool_or corr count every max min mode percentile_cont percentile_disc stddev stddev_pop
  stddev_samp string_agg sum var_pop var_samp variance`;
const windows = `cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number`;

/**
 * Functions with a result that depends only on their arguments, the clock and chance, and is not much longer than
 * these.
 *
 * @spec 60 §6
 */
export const postgresFunctions: ReadonlySet<string> = words(
  ...[numbers, texts, times, lists, json, search, aggregates, windows],
);

/** Types that values may be cast to: reading a value as one looks nothing up. */
export const postgresTypeNames: ReadonlySet<string> =
  words(`bool bpchar bytea date float4 float8 int2 int4 int8 interval
  json jsonb numeric text time timestamp timestamptz timetz tsquery tsvector uuid varchar`);

export const postgresOperators: ReadonlySet<string> =
  words(`+ - * / % ^ = <> != < > <= >= || ~~ !~~ ~~* !~~* ~ !~ ~* !~* -> ->> #>
  #>> @> <@ ? ?| ?& @@ && & | # << >> BETWEEN`);

/** Parts of a parsed query. Some are nested in others as a field in lower camel case, such as `withClause`. */
export const postgresParts: ReadonlySet<string> = words(`A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias
  Boolean BoolExpr BooleanTest CaseExpr CaseWhen CoalesceExpr ColumnRef CommonTableExpr Float FuncCall GroupingFunc
  GroupingSet Integer JoinExpr List MinMaxExpr NamedArgExpr NullTest RangeFunction RangeSubselect RangeVar ResTarget
  RowExpr SQLValueFunction SelectStmt SortBy String SubLink TypeCast WindowDef`);

/** Their members. */
export const postgresMembers: ReadonlySet<string> = words(`SelectStmt agg_distinct agg_filter agg_order agg_star
  agg_within_group alias aliascolnames aliasname all arg args arrayBounds boolop booltesttype boolval content coltypmod
  colnames ctematerialized ctename ctequery ctes cterecursive defresult distinctClause elements endOffset expr
  fields frameOptions fromClause funccallnode funcformat func_variadic funcname functions fval groupClause groupDistinct
  havingClause indirection inh is_natural is_rowsfrom is_slice isNatural ival items join_using_alias jointype kind larg
  lateral lexpr lidx limitCount limitOffset limitOption list_end list_start location lowered lowerIdx name names node
  nulltesttype op operName ordinality orderClause over partitionClause pct_type quals rarg recursive refname relname
  relpersistence result rexpr rexpr_list_end rexpr_list_start row_format rtindex schemaname setof sortClause sortby_dir
  sortby_nulls startOffset subLinkId subLinkType subquery subselect sval targetList testexpr typeName typemod typmods
  uidx usingClause val valuesLists whereClause windowClause withClause isnull bsval typmod`);

function words(...all: readonly string[]): ReadonlySet<string> {
  return new Set(all.flatMap((list) => list.trim().split(/\s+/)));
}
