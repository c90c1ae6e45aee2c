/** What a variable may be called. */
import { isScopeName } from './evaluation.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Words that expressions have for something else: their own, and those that CEL keeps for languages around it. */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'and or not in true false null as break const continue else for function if import let loop package namespace return ' +
    'var void while __proto__ prototype constructor'
  ).split(' '),
);

/** Whether an expression can name it: a letter or `_`, then letters, digits and `_`, and none of the words above. */
export function isVariableName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name) && !isScopeName(name);
}
