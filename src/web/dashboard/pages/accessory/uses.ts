/** What uses accessories and service groups: automations, scenes and groups. */
import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import type { QuerySubject } from '../../api/query.ts';

export interface Use {
  /** `automation`, `flow`, `scene` or `group`. */
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

const SUBJECTS: readonly QuerySubject[] = ['automations', 'scenes', 'groups', 'inventory'];
/** A document may have one field 30 times. */
export const AT_ONCE = 30;

/** Has a variable for each accessory, as `variablesFor` names them. */
export function usesDocument(count: number): string {
  const each = (textOf: (index: number) => string) => Array.from({ length: count }, (_, index) => textOf(index));
  const parameters = each((index) => `$a${index}: String!`).join(', ');
  const fields = each((index) => `u${index}: accessoryUses(accessoryId: $a${index}) { kind id name }`).join('\n');
  return `query AccessoryUses(${parameters}) { ${fields} }`;
}

function variablesFor(ids: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(ids.map((id, index) => [`a${index}`, id]));
}

/** Each use once, however many of the accessories it has. @param answers to `usesDocument` */
export function readUses(answers: readonly unknown[]): readonly Use[] {
  const uses = answers
    .flatMap((answer) => Object.values(answer as Readonly<Record<string, readonly (Use | null)[] | null>>))
    .flatMap(present);
  return [...new Map(uses.map((use) => [`${use.kind} ${use.id}`, use])).values()];
}

/** @param ids of accessories and service groups */
export function useUses(ids: readonly string[]) {
  return useQuery({
    // Their order is the user's, and changes nothing.
    queryKey: ['uses', ids.toSorted()],
    queryFn: async ({ signal }) => {
      const parts = ids.flatMap((_, index) => (index % AT_ONCE === 0 ? [ids.slice(index, index + AT_ONCE)] : []));
      const answers = parts.map((part) => ask(usesDocument(part.length), variablesFor(part) as never, { signal }));
      return readUses(await Promise.all(answers));
    },
    meta: { subjects: SUBJECTS },
  });
}
