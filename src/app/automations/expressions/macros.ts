import type { Json } from '../../../kernel/json.ts';
import { isTruthy } from './values.ts';

/** The value of one of the macro's expressions for an element; they are numbered in order. */
type LoopBody = (body: number, item: Json) => Json;

export interface Macro {
  readonly usage: string;
  readonly maxBodies: number;
  run(items: readonly Json[], body: LoopBody, bodies: number): Json;
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
