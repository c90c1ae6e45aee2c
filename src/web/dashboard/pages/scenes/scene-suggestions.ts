/**
 * Scenes that a home could have, from the accessories that it has. They act on one room: where the television is, else
 * where most lamps are. "Good Night" and "Leave Home" are there already: every home has them.
 */
import type { HomeAccessory, HomeInventory } from '../../home/home-document.ts';
import { type Property, propertiesOf } from '../../pickers/property.ts';
import type { DraftAction } from './scene-draft.ts';
import { iconByName } from './scene-icons.ts';

export const SUGGESTIONS = ['movie', 'cosy', 'morning'] as const;
export type SuggestionKind = (typeof SUGGESTIONS)[number];

export interface SceneSuggestion {
  readonly kind: SuggestionKind;
  readonly roomId: string;
  readonly actions: readonly DraftAction[];
}

type Rule = (accessory: HomeAccessory) => readonly DraftAction[];
type Things = Pick<HomeInventory, 'accessories' | 'rooms'>;

/** More than a room has lamps. */
const FIRST = 10_000;
const CLOSED = 0;
const OPEN = 100;
/** In mireds, as of an incandescent lamp. */
const WARM = 370;

const RULES: Readonly<Record<SuggestionKind, readonly Rule[]>> = {
  movie: [dimmedTo(20), blindsAt(CLOSED)],
  cosy: [dimmedTo(40, WARM)],
  morning: [blindsAt(OPEN), dimmedTo(60)],
};

/** Without it, there is nothing to suggest. */
const NEEDS: Readonly<Record<SuggestionKind, (accessory: HomeAccessory) => boolean>> = {
  movie: isDimmable,
  cosy: isDimmable,
  morning: (accessory) => blindsAt(OPEN)(accessory).length > 0,
};

/**
 * @param names of the scenes of the home: one with a name of the same meaning stands for the suggestion
 * @param nameOf the name that the suggestion has in the language of the page
 */
export function suggestionsFor(
  home: Things,
  names: readonly string[],
  nameOf: (kind: SuggestionKind) => string,
): readonly SceneSuggestion[] {
  const meanings = new Set(names.map(iconByName));
  return SUGGESTIONS.filter((kind) => !meanings.has(iconByName(nameOf(kind)))).flatMap(
    (kind) => suggestionOf(kind, home) ?? [],
  );
}

/** @returns `undefined` if the home lacks what it needs */
export function suggestionOf(kind: SuggestionKind, { accessories, rooms }: Things): SceneSuggestion | undefined {
  const scores = rooms.map(({ id }) => {
    const members = accessories.filter(({ roomId }) => roomId === id);
    const count = members.filter(NEEDS[kind]).length;
    const hasTelevision = members.some(({ services }) => services.some(({ type }) => type === 'television'));
    return { roomId: id, members, count: count > 0 && hasTelevision && kind === 'movie' ? count + FIRST : count };
  });
  const [best] = scores.toSorted((a, b) => b.count - a.count);
  if (!best || best.count === 0) return undefined;
  const actions = best.members.flatMap((accessory) => RULES[kind].flatMap((rule) => rule(accessory)));
  return { kind, roomId: best.roomId, actions };
}

export function findSuggestion(word: string | null): SuggestionKind | undefined {
  return SUGGESTIONS.find((kind) => kind === word);
}

function settable(accessory: HomeAccessory, service: string, type: string): readonly Property[] {
  return propertiesOf(accessory).filter(
    (property) =>
      property.service.type === service && property.characteristic.type === type && property.characteristic.canWrite,
  );
}

function setting({ accessoryId, characteristicType: property }: Property, value: unknown): DraftAction {
  return { accessoryId, property, value, kept: undefined };
}

function isDimmable(accessory: HomeAccessory): boolean {
  return settable(accessory, 'lightbulb', 'brightness').length > 0;
}

/** Only lamps that can be dimmed. A range that a lamp does not have is not exceeded. */
function dimmedTo(percent: number, mireds?: number): Rule {
  return (accessory) => {
    if (!isDimmable(accessory)) return [];
    const warmth = mireds === undefined ? [] : settable(accessory, 'lightbulb', 'color_temperature');
    return [
      ...settable(accessory, 'lightbulb', 'power_state').map((power) => setting(power, true)),
      ...settable(accessory, 'lightbulb', 'brightness').map((level) => setting(level, percent)),
      ...warmth.map((property) => setting(property, within(property, mireds ?? 0))),
    ];
  };
}

function blindsAt(position: number): Rule {
  return (accessory) =>
    settable(accessory, 'window_covering', 'target_position').map((property) => setting(property, position));
}

function within({ characteristic: { minValue, maxValue } }: Property, value: number): number {
  return Math.min(Math.max(value, minValue ?? value), maxValue ?? value);
}
