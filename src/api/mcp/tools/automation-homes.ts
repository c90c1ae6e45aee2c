/** Shared by the tools for both kinds of automations: finding the requested homes and the named automation. */
import { z } from 'zod';
import { invalid } from '../../../app/automations/parsing/faults.ts';
import type { Home } from '../../../home/model.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import { matching } from '../automations/home-words.ts';
import type { ToolContext } from './mcp-tool.ts';
import { homesOf, keyOf, listed, notThere } from './places.ts';

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
  const wanted = filter?.trim().toLowerCase() ?? '';
  const homes = homesOf(context).filter(
    (home) => keyOf(home).includes(wanted) || home.name.toLowerCase().includes(wanted),
  );
  const shown = homes.map((home) => {
    const mayChange = deps.access.mayIn(caller, 'manage', home.id);
    return { key: keyOf(home), mayChange, automations: show(home, mayChange) };
  });
  const count = shown.reduce((sum, { automations }) => sum + automations.length, 0);
  return {
    ...Object.fromEntries(shown.map(({ key, automations }) => [key, automations])),
    _meta: {
      view_only_homes: shown.filter(({ mayChange }) => !mayChange).map(({ key }) => key),
      message:
        homes.length > 0 ? `${counted(count, noun)} in ${counted(homes.length, 'home')}` : noneOf(context, wanted),
    },
  };
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

function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function noneOf(context: ToolContext, wanted: string): string {
  const homes = homesOf(context);
  if (homes.length === 0) return 'No homes found';
  return `No home matches "${shorten(wanted)}". There are: ${listed(homes.map(keyOf))}`;
}
