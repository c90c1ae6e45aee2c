/** The data of the webhook form: the event types and their scope. */

export interface EventScope {
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
  readonly field: keyof EventScope;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

const EVERYTHING = '*';

export function isEverything(eventTypes: readonly string[]): boolean {
  return eventTypes.includes(EVERYTHING);
}

/** In the API's format: the wildcard alone, or each type once. */
export function eventTypesOf(eventTypes: readonly string[]): string[] {
  return isEverything(eventTypes) ? [EVERYTHING] : [...new Set(eventTypes)];
}

/** The options of the scope; empty lists are left out. With several homes, each option includes its home's name. */
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
