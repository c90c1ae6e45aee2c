/** `npm run texts`: writes the modules that are made of catalogues. */
import { writeModules } from './write-modules.ts';

writeModules();
