/**
 * Lets a process import TypeScript: `--import ./test/support/typescript/register.js`. Modules are Node's own then, and
 * load several times as fast as those that Vite serves.
 */
import * as nodeModule from 'node:module';
import { load } from './load.js';

// From Node 22.15 on in the thread that imports; before, in one of its own.
if ('registerHooks' in nodeModule) nodeModule.registerHooks({ load });
else nodeModule.register('./load.js', import.meta.url);
// Errors then name the lines of the sources.
process.setSourceMapsEnabled(true);
