/** The loops over lists that CEL has. Each body is an expression that is worked out anew for every element. */
import type { Json } from '../flow.ts';
import { isTruthy } from './values.ts';

/** What one of the loop's expressions gives for an element; they are numbered in their order. */
type Body = (body: number, item: Json) => Json;

export interface Macro {
  readonly usage: string;
  readonly maxBodies: number;
  run(items: readonly Json[], body: Body, bodies: number): Json;
}

export const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  [
    'all',
    {
      usage: 'list.all(x, condition)',
      maxBodies: 1,
      run: (items, body) => items.every((item) => isTruthy(body(0, item))),
    },
  ],
  [
    'exists',
    {
      usage: 'list.exists(x, condition)',
      maxBodies: 1,
      run: (items, body) => items.some((item) => isTruthy(body(0, item))),
    },
  ],
  [
    'exists_one',
    {
      usage: 'list.exists_one(x, condition)',
      maxBodies: 1,
      run: (items, body) => items.filter((item) => isTruthy(body(0, item))).length === 1,
    },
  ],
  [
    'filter',
    {
      usage: 'list.filter(x, condition)',
      maxBodies: 1,
      run: (items, body) => items.filter((item) => isTruthy(body(0, item))),
    },
  ],
  [
    'map',
    {
      usage: 'list.map(x, value) or list.map(x, condition, value)',
      maxBodies: 2,
      run: (items, body, bodies) =>
        bodies === 1
          ? items.map((item) => body(0, item))
          : items.filter((item) => isTruthy(body(0, item))).map((item) => body(1, item)),
    },
  ],
]);
