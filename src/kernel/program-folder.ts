/**
 * The folder of the program's files: `src` when it runs from sources, `dist` when it is built. The build merges the
 * subfolders of `src` into one folder (`rolldown.config.js`), so this file is one folder below in both cases.
 */
export const PROGRAM_FOLDER = new URL('../', import.meta.url);
