/** The arguments of a message: for the types of the catalogues, and to compare languages. */
import type { CompiledMessage, Part } from './message.ts';

/** TypeScript's type of each argument, by name. */
export type ArgumentTypes = ReadonlyMap<string, string>;

/** @throws if one argument has two types. */
export function argumentTypes(message: CompiledMessage): ArgumentTypes {
  const types = new Map<string, string>();
  if (typeof message !== 'string') collect(message, types);
  return types;
}

function collect(parts: readonly Part[], types: Map<string, string>): void {
  for (const part of parts) {
    if (typeof part === 'string' || part[0] === '#') continue;
    const type = typeOf(part);
    const known = types.get(part[1]);
    if (known !== undefined && known !== type) throw new Error(`{${part[1]}} is both ${known} and ${type}`);
    types.set(part[1], type);
    const nested = nestedParts(part);
    for (const parts of nested) collect(parts, types);
  }
}

type Argument = Exclude<Part, string | readonly ['#']>;

function typeOf(part: Argument): string {
  switch (part[0]) {
    case 'argument':
      return 'string';
    case 'number':
    case 'plural':
      return 'number';
    case 'date':
      return 'Date';
    case 'select':
      return Object.keys(part[2]).every((form) => /^(?:true|false|other)$/.test(form)) ? 'boolean' : 'string';
    case 'tag':
      return '(text: string) => string';
  }
}

function nestedParts(part: Argument): readonly (readonly Part[])[] {
  if (part[0] === 'select') return Object.values(part[2]);
  if (part[0] === 'plural') return Object.values(part[3]);
  return part[0] === 'tag' ? [part[2]] : [];
}
