/** The colors of rooms, as the style sheet has them. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ROOM_COLORS } from '../../../src/home/vocabulary/room-looks.ts';

const TOKENS = readFileSync('src/web/dashboard/theme/tokens.css', 'utf8');

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** Of the rule of a color: its value in light and in dark. */
function valuesOf(color: string, property: string): readonly string[] {
  const rule = TOKENS.split(`[data-color="${color}"] {`)[1]?.split('}')[0] ?? '';
  return new RegExp(String.raw`${property}: light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)`).exec(rule)?.slice(1) ?? [];
}

describe('the color of a room', () => {
  it.each(ROOM_COLORS)('%s has words of enough contrast in light and dark', (color) => {
    const [surfaces, inks] = [valuesOf(color, '--h-room'), valuesOf(color, '--h-room-ink')];
    expect([surfaces, inks]).toEqual([
      [expect.any(String), expect.any(String)],
      [expect.any(String), expect.any(String)],
    ]);
    for (const [index, surface] of surfaces.entries()) {
      expect(contrast(surface, inks[index] ?? '')).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('differs from every other in light and in dark', () => {
    const surfaces = ROOM_COLORS.flatMap((color) => valuesOf(color, '--h-room'));
    expect(new Set(surfaces).size).toBe(2 * ROOM_COLORS.length);
  });

  it('is replaced by one for white words until the picture is there', () => {
    const banner = /--h-room-banner: (#[\da-f]{6})/.exec(TOKENS)?.[1] ?? '';
    expect(contrast(banner, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  });
});
