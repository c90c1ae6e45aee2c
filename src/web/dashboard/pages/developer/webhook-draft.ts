/** What the form of a webhook works with: which events, and about what. */

export interface Scope {
  readonly homeIds: string[];
  readonly roomIds: string[];
  readonly accessoryIds: string[];
  readonly collectionIds: string[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

interface HomeChoices extends Named {
  readonly rooms: readonly Named[];
  readonly accessories: readonly Named[];
}

export interface ScopeChoice {
  readonly field: keyof Scope;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

const EVERYTHING = '*';

export function isEverything(eventTypes: readonly string[]): boolean {
  return eventTypes.includes(EVERYTHING);
}

/** As the API takes them: everything alone, or each once. */
export function eventTypesOf(eventTypes: readonly string[]): string[] {
  return isEverything(eventTypes) ? [EVERYTHING] : [...new Set(eventTypes)];
}

/** What can be chosen; a list of which there is nothing is left out. With several homes, things say in which they are. */
export function scopeChoices(homes: readonly HomeChoices[], collections: readonly Named[]): readonly ScopeChoice[] {
  const inHome = (part: 'rooms' | 'accessories') =>
    homes.flatMap((home) =>
      home[part].map(({ id, name }) => ({ value: id, label: homes.length > 1 ? `${name} (${home.name})` : name })),
    );
  const choices: readonly ScopeChoice[] = [
    { field: 'homeIds', options: homes.map(optionOf) },
    { field: 'roomIds', options: inHome('rooms') },
    { field: 'accessoryIds', options: inHome('accessories') },
    { field: 'collectionIds', options: collections.map(optionOf) },
  ];
  return choices.filter(({ options }) => options.length > 0);
}

function optionOf({ id, name }: Named): { value: string; label: string } {
  return { value: id, label: name };
}

/** A number that somebody wrote into a field; `null` where it is empty. */
export function numberIn(form: FormData, name: string): number | null {
  const text = String(form.get(name) ?? '').trim();
  const value = Number(text);
  return text === '' || !Number.isFinite(value) ? null : value;
}
