/** Parameters of queries that several routes have. */
import { id } from './json-schema.ts';
import type { Parameter } from './operation.ts';
import { HOME_ID } from './resources/homes.ts';

export const HOME: Parameter = {
  name: 'home',
  description: 'The id of the home.',
  required: true,
  schema: id(),
  example: HOME_ID,
};

export const ANY_HOME: Parameter = {
  name: 'home',
  description: 'The id of a home; all that the token may see if left out.',
  schema: id(),
};
