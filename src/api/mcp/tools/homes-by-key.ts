/** For tools that list things of homes: the homes that a filter selects, and what is in each by the key of its home. */
import type { Home } from '../../../home/model.ts';
import { shorten } from '../../../home/vocabulary/values.ts';
import type { ToolContext } from './mcp-tool.ts';
import { homesOf, keyOf, listed } from './places.ts';

interface Noun {
  readonly one: string;
  readonly several: string;
}

interface ListedByKey {
  readonly homes: readonly Home[];
  readonly lists: Readonly<Record<string, readonly object[]>>;
  /** How many there are, or that no home matches. */
  readonly message: string;
}

/** @param filter a part of the name or key of a home; all if left out */
export function listByKey(
  context: ToolContext,
  filter: string | undefined,
  noun: Noun,
  list: (home: Home) => readonly object[],
): ListedByKey {
  const wanted = filter?.trim().toLowerCase() ?? '';
  const homes = homesOf(context).filter(
    (home) => keyOf(home).includes(wanted) || home.name.toLowerCase().includes(wanted),
  );
  const entries = homes.map((home) => [keyOf(home), list(home)] as const);
  const count = entries.reduce((sum, [, things]) => sum + things.length, 0);
  const message =
    homes.length > 0
      ? `${counted(count, noun)} in ${counted(homes.length, { one: 'home', several: 'homes' })}`
      : noneOf(context, wanted);
  return { homes, lists: Object.fromEntries(entries), message };
}

function counted(count: number, { one, several }: Noun): string {
  return `${count} ${count === 1 ? one : several}`;
}

function noneOf(context: ToolContext, wanted: string): string {
  const homes = homesOf(context);
  if (homes.length === 0) return 'No homes found';
  return `No home matches "${shorten(wanted)}". There are: ${listed(homes.map(keyOf))}`;
}
