/** The message of an error, and of those that it collects: the library wraps what it was about. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [error.message, ...inner.map(describeError)].join(': ');
}
