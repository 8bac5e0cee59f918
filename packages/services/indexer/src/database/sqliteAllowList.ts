/**
 * Functions and tables of SQLite that a client's SQL query may use. All others are refused: the bundled library has
 * functions that access files (`readfile`, `writefile`), and tables of directories, settings and database pages
 * (`fsdir`, `pragma_…`, `sqlite_dbpage`).
 */

const numbers = `abs acos acosh asin asinh atan atan2 atanh ceil ceiling cos cosh degrees exp floor ln log log10 max min
  pi power radians random round sign sin sinh sqrt tan tanh`;
const texts = `char concat concat_ws format glob hex instr length like lower ltrim octet_length printf quote replace
  rtrim soundex substr substring trim unhex unicode upper`;
const choices = "coalesce ifnull iif likelihood likely nullif typeof unlikely";
const times = "current_date current_time current_timestamp date datetime julianday strftime time timediff unixepoch";
const json = `-> ->> json json_array json_array_length json_error_position json_extract json_group_array
  json_group_object json_insert json_object json_patch json_quote json_remove json_replace json_set json_type
  json_valid`;
const aggregates = "avg count group_concat string_agg sum total";
const windows = `cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number`;

/** Functions with a result that depends only on their arguments, the clock and chance. @spec 60 §6 */
export const sqliteFunctions: ReadonlySet<string> = words(numbers, texts, choices, times, json, aggregates, windows);

/** Virtual tables that are made from their arguments alone, each with a query that opens it. @spec 60 §6 */
export const sqliteModules: readonly string[] = ["json_each", "json_tree"];

const control = `Init Goto Gosub Return InitCoroutine EndCoroutine Yield Halt HaltIfNull Once If IfNot IsNull IsType
  NotNull IfNullRow IfPos IfNotZero DecrJumpZero OffsetLimit Jump Noop Explain Trace ReleaseReg BeginSubrtn`;
const values = `Integer Int64 Real String8 String Null SoftNull Blob Variable Move Copy SCopy IntCopy Concat Add Subtract
  Multiply Divide Remainder CollSeq BitAnd BitOr ShiftLeft ShiftRight AddImm MustBeInt RealAffinity Cast Affinity And Or
  IsTrue Not BitNot ZeroOrNull ClrSubtype`;
const comparisons = "Eq Ne Lt Le Gt Ge ElseEq Permutation Compare";
const calls = "Function PureFunc AggStep AggStep1 AggInverse AggValue AggFinal";
/** Rows are put into, and taken out of, tables that the query has made for itself: no other one can be opened to write. */
const ownTables = `OpenEphemeral OpenAutoindex OpenDup OpenPseudo SorterOpen SorterInsert SorterSort SorterData SorterNext
  SorterCompare ResetSorter Sort Sequence SequenceTest NewRowid Insert Delete IdxInsert IdxDelete MakeRecord RowSetAdd
  RowSetRead RowSetTest Filter FilterAdd`;
const cursors = `Transaction OpenRead ReopenIdx Close ColumnsUsed SeekLT SeekLE SeekGE SeekGT SeekScan SeekHit SeekRowid
  SeekEnd IfNotOpen IfNoHope IfSmaller NoConflict NotFound Found NotExists NullRow Last Rewind Prev Next Rowid RowData
  IdxRowid IdxLE IdxGT IdxLT IdxGE DeferredSeek FinishSeek Column Count CursorLock CursorUnlock ResultRow`;
const virtualTables = "VOpen VInitIn VFilter VColumn VNext VPreparedSql";

/** Steps of a compiled query. */
export const sqliteSteps: ReadonlySet<string> = words(
  ...[control, values, comparisons, calls, ownTables, cursors, virtualTables],
);

function words(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.trim().split(/\s+/)));
}
