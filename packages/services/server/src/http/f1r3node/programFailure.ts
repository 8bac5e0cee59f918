import { Problem, type ProgramFailure } from "@vedette/queries";

/** Why a program returned nothing, in f1r3node's form. @spec 50 §1.14, §10.2 */
export function failureOf({ error, failure }: ProgramFailure): Problem {
  const [status, kind] = kindOf(failure);
  return new Problem(error, { status, kind });
}

function kindOf(failure: ProgramFailure["failure"]): readonly [status: number, kind: string] {
  switch (failure) {
    case "OutOfPhlogistonsError":
      return [422, "out_of_phlogistons"];
    case "UserAbortError":
      return [422, "user_abort"];
    case "AggregateError":
      return [422, "aggregate_error"];
    case "ReduceError":
    case "MethodNotDefined":
    case "MethodArgumentNumberMismatch":
    case "OperatorNotDefined":
    case "OperatorExpectedError":
    case "NonDeterministicProcessFailure":
    case "CanNotReplayFailedNonDeterministicProcess":
    case "BugFoundError":
    case "SubstituteError":
    case "SetupError":
    case "SortMatchError":
    case undefined:
      return [422, "rholang_execution_error"];
    default:
      return [400, "rholang_bad_term"];
  }
}
