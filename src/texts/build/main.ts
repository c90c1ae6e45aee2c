/** `npm run texts`: writes the types of the catalogues. */
import { writeTypes } from './write-types.ts';

writeTypes();
