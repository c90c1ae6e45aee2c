/**
 * What is loaded when somebody first asks for it, and then kept; whoever asks meanwhile waits with them. A failure is told to those
 * who wait and is not kept: while an update replaces the files, the next one to ask finds them there again.
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
