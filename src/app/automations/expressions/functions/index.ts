/** All functions of expressions; their signatures and summaries form the reference table for people. */
import { type FunctionRow, functionRow } from './function-row.ts';
import { HOME_FUNCTIONS } from './home.ts';
import { NUMBER_FUNCTIONS } from './numbers.ts';
import { TEXT_FUNCTIONS } from './texts.ts';
import { TIME_FUNCTIONS } from './times.ts';

export type { FunctionRow } from './function-row.ts';

export const FUNCTIONS: ReadonlyMap<string, FunctionRow> = new Map(
  [...HOME_FUNCTIONS, ...TIME_FUNCTIONS, ...NUMBER_FUNCTIONS, ...TEXT_FUNCTIONS]
    .map(functionRow)
    .map((row) => [row.name, row]),
);
