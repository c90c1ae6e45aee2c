/** The icon of a tile: of an accessory or a service group. */
import { z } from 'zod';
import { ICON_NAMES, type IconName, isIconName } from '../home/vocabulary/icon-names.ts';
import { shorten } from '../home/vocabulary/values.ts';
import { nearest } from '../kernel/nearest.ts';
import { invalidValue } from './parse.ts';

/** There are too many to list them in each description and error. */
export function iconName(): z.ZodType<IconName, string> {
  const error = invalidValue((input) => unknownIcon(typeof input === 'string' ? input : ''));
  const description =
    'The icon of its tile, by its name in Lucide; null for the icon of its kind. `hearthd accessory icons` lists the names.';
  return z
    .string({ error })
    .meta({ description, examples: ['lamp-desk'] })
    .refine(isIconName, { error }) as unknown as z.ZodType<IconName, string>;
}

function unknownIcon(input: string): string {
  const isWord = input.length > 2;
  const similar = isWord ? (nearest(input, ICON_NAMES) ?? ICON_NAMES.find((name) => name.includes(input))) : undefined;
  const advice = similar === undefined ? 'List the names with hearthd accessory icons.' : `Did you mean "${similar}"?`;
  return `"${shorten(input)}" is not one of the icons. ${advice}`;
}
