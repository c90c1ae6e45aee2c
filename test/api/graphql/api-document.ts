/**
 * What the API document's tables state about GraphQL, as data: types with their fields (§2.4), root fields with their
 * arguments (§4.2).
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const DOCUMENT = resolve(import.meta.dirname, '../../../src/docs/contract/api.md');

export interface DocumentedField {
  readonly name: string;
  /** As written, `String!`; `null` where only the name is. */
  readonly type: string | null;
}

export interface DocumentedArgument {
  readonly name: string;
  readonly required: boolean;
}

export interface DocumentedRootField {
  readonly name: string;
  readonly args: readonly DocumentedArgument[];
  /** As written: `[PlatformHome]`; `null` where it is described in words. */
  readonly returns: string | null;
}

export function readApiDocument(): string {
  return readFileSync(DOCUMENT, 'utf8');
}

function section(text: string, from: string, to: string): string {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  if (start < 0 || end < 0) throw new Error(`The API document has no ${from}`);
  return text.slice(start, end);
}

/** §2.4: by type, the fields named in its paragraph or its table. */
export function documentedTypes(text: string): ReadonlyMap<string, readonly DocumentedField[]> {
  const types = new Map<string, readonly DocumentedField[]>();
  let tableOf: string | undefined;
  for (const line of section(text, '### 2.4', '### 2.5').split('\n')) {
    const paragraph = /^([A-Z][A-Za-z]+)(?: \([^)]*\))?: (.*)$/.exec(line);
    const heading = /^([A-Z][A-Za-z]+):$/.exec(line.trim());
    const row = /^\| `(\w+)` \| ([^|]+) \|/.exec(line);
    if (heading?.[1]) tableOf = heading[1];
    if (paragraph?.[1] && paragraph[2]) types.set(paragraph[1], fieldsOf(paragraph[2]));
    if (row?.[1] && row[2] && tableOf) {
      types.set(tableOf, [...(types.get(tableOf) ?? []), { name: row[1], type: row[2].trim() }]);
    }
  }
  return types;
}

/** `` `id` String!, `role` String (owner, admin) ``: brackets describe values. */
function fieldsOf(paragraph: string): readonly DocumentedField[] {
  const [fields = ''] = paragraph.split(/\. (?=[A-Z])/);
  const plain = fields.replace(/\([^)]*\)/g, '');
  return [...plain.matchAll(/`(\w+)`(?: (\[?[A-Z]\w*!?\]?!?))?/g)].map(([, name = '', type]) => ({
    name,
    type: type ?? null,
  }));
}

/** §4.2: the two tables of root fields. */
export function documentedRootFields(text: string, kind: 'Queries' | 'Mutations'): readonly DocumentedRootField[] {
  const graphql = section(text, '### 4.2', '### 4.3');
  const [queries = '', mutations = ''] = graphql.split('\nMutations:\n');
  const table = kind === 'Queries' ? queries : mutations;
  return [...table.matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$/gm)].map(([, name = '', parameters, returns]) => ({
    name,
    args: [...(parameters ?? '').matchAll(/`(\w+)([?!]?)`/g)].map(([, argument = '', mark]) => ({
      name: argument,
      required: mark !== '?',
    })),
    returns: /^\[?[A-Z]\w+\]?!?/.exec(returns?.trim() ?? '')?.[0] ?? null,
  }));
}
