/**
 * Loads a value on first use and caches it; concurrent callers wait for the same load. An error reaches the waiting
 * callers but is not cached: while an update replaces the files, the next caller finds them again.
 */
export function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
