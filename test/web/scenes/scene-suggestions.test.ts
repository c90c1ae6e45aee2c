/** Which scenes are suggested to a home, and what they would set. */
import { describe, expect, it } from 'vitest';
import de from '../../../src/texts/de/scenes.json';
import en from '../../../src/texts/en/scenes.json';
import type { HomeAccessory } from '../../../src/web/dashboard/home/home-document.ts';
import {
  findSuggestion,
  SUGGESTIONS,
  suggestionOf,
  suggestionsFor,
} from '../../../src/web/dashboard/pages/scenes/scene-suggestions.ts';
import { accessoryOf, lampOf } from '../home/sample-home.ts';

const room = (id: string) => ({ id, name: id, isDefault: false, color: null, pictureHash: null });
const homeOf = (...accessories: HomeAccessory[]) => ({ accessories, rooms: [room('hall'), room('den')] });
const inDen = <T extends HomeAccessory>(accessory: T) => ({ ...accessory, roomId: 'den' });
const inHall = <T extends HomeAccessory>(accessory: T) => ({ ...accessory, roomId: 'hall' });
const blind = accessoryOf('Blind', 'blind', { window_covering: { target_position: 30, current_position: 30 } });
const television = accessoryOf('TV', 'other', { television: { active: 1 } });
const warmLamp = accessoryOf('Warm', 'light', {
  lightbulb: { power_state: false, brightness: 10, color_temperature: { value: 200, minValue: 153, maxValue: 345 } },
});
const english = (kind: (typeof SUGGESTIONS)[number]) => en.suggestions[kind].name;
const kindsFor = (names: readonly string[], ...accessories: HomeAccessory[]) =>
  suggestionsFor(homeOf(...accessories), names, english).map(({ kind }) => kind);

describe('the suggested scenes', () => {
  it('are those that the accessories allow', () => {
    expect(kindsFor([], inDen(lampOf('A')), inDen(blind))).toEqual(['movie', 'cosy', 'morning']);
    expect(kindsFor([], inDen(lampOf('A')))).toEqual(['movie', 'cosy']);
    expect(kindsFor([], inDen(blind))).toEqual(['morning']);
    const plain = accessoryOf('Plain', 'light', { lightbulb: { power_state: true } });
    expect(kindsFor([], inDen(plain))).toEqual([]);
  });

  it('are left out while the home has one of that meaning, in any language', () => {
    const all = [inDen(lampOf('A')), inDen(blind)];
    expect(kindsFor(['Film night', 'Good Night'], ...all)).toEqual(['cosy', 'morning']);
    expect(kindsFor(['Filmabend', 'Guten Morgen'], ...all)).toEqual(['cosy']);
    for (const texts of [en, de]) {
      const names = SUGGESTIONS.map((kind) => texts.suggestions[kind].name);
      expect(kindsFor(names, ...all)).toEqual([]);
    }
  });

  it('dim the lamps beside the television, else where most of them are, and close the blinds there', () => {
    const lamps = [inHall(lampOf('A')), inHall(lampOf('B')), inDen(lampOf('C'))];
    expect(suggestionOf('movie', homeOf(...lamps, inDen(blind)))?.roomId).toBe('hall');
    const movie = suggestionOf('movie', homeOf(...lamps, inDen(blind), inDen(television)));
    expect(movie?.roomId).toBe('den');
    expect(movie?.actions.map(({ accessoryId, property, value }) => [accessoryId, property, value])).toEqual([
      ['C', 'power_state', true],
      ['C', 'brightness', 20],
      ['Blind', 'target_position', 0],
    ]);
  });

  it('ask a lamp for no color that it does not have', () => {
    const cosy = suggestionOf('cosy', homeOf(inDen(warmLamp)));
    expect(cosy?.actions.map(({ property, value }) => [property, value])).toEqual([
      ['power_state', true],
      ['brightness', 40],
      ['color_temperature', 345],
    ]);
  });

  it('are found by the word in an address', () => {
    expect([findSuggestion('cosy'), findSuggestion('night'), findSuggestion(null)]).toEqual([
      'cosy',
      undefined,
      undefined,
    ]);
  });
});
