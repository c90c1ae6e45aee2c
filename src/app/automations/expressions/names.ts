/** Valid variable names. */
import { isScopeName } from './evaluation.ts';

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/**
 * Words with another meaning in expressions: those of this language, and those that CEL reserves for host languages.
 */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'and or not in true false null as break const continue else for function if import let loop package namespace return ' +
    'var void while __proto__ prototype constructor'
  ).split(' '),
);

/**
 * Whether the name is valid in an expression: a letter or `_`, then letters, digits and `_`, and not a reserved word.
 */
export function isVariableName(name: string): boolean {
  return NAME.test(name) && !RESERVED.has(name) && !isScopeName(name);
}
