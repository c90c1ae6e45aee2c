/** Shared by the tools for both kinds of automations: finding the requested homes and the named automation. */
import { z } from 'zod';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import type { Home } from '../../../home/model.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { matching } from '../automations/home-words.ts';
import { listByKey } from './homes-by-key.ts';
import type { ToolContext } from './mcp-tool.ts';
import { keyOf, listed, notThere } from './places.ts';

export const listMeta = z.object({
  view_only_homes: z.array(z.string()).describe('Keys of homes whose automations the caller may not change'),
  message: z.string(),
});

/** Calls `show` for each requested home. */
export function byHome(
  context: ToolContext,
  filter: string | undefined,
  noun: string,
  show: (home: Home, mayChange: boolean) => readonly object[],
): object {
  const { caller, deps } = context;
  const mayChange = (home: Home) => deps.access.mayIn(caller, 'manage', home.id);
  const { homes, lists, message } = listByKey(context, filter, { one: noun, several: `${noun}s` }, (home) =>
    show(home, mayChange(home)),
  );
  return { ...lists, _meta: { view_only_homes: homes.filter((home) => !mayChange(home)).map(keyOf), message } };
}

/**
 * Finds an automation by id or by name.
 * @param things of the home, as far as the caller may see them
 * @throws `automation_not_found` listing the existing ones · `invalid_value` several have the name
 */
export function findIn<T extends { readonly id: string; readonly name: string }>(
  things: readonly T[],
  text: string,
  home: Home,
  words: { readonly noun: string; readonly plural: string },
): T {
  const found = matching(things, text);
  const [first] = found;
  if (first && found.length === 1) return first;
  if (first) {
    const ids = listed(found.map(({ id }) => id));
    throw invalid('id', `"${shorten(text)}" is the name of several ${words.plural}; give the id of one: ${ids}`);
  }
  const where = ` in ${home.name}`;
  throw notThere(things, text, { ...words, code: 'automation_not_found', field: 'id', where });
}
