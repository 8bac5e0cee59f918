/** Returns a function that runs each work after the one before it has ended, whether that failed or not. */
export function takeTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let previous: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = previous.then(work);
    previous = result.catch(() => {});
    return result;
  };
}
