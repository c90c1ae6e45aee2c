/**
 * Where the program's parts lie: `src` when it runs from its sources, `dist` when it is built, where what is in `src` in folders is in one
 * (`rolldown.config.ts`). Either way this file is one folder below.
 */
export const PROGRAM_FOLDER = new URL('../', import.meta.url);
