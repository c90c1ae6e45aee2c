/**
 * Intl's formatters. Creating one takes milliseconds on a phone, and a page with hundreds of tiles needs the same few.
 * Each is created at first use and cached.
 */

const made = new Map<string, unknown>();

function keep<Options extends object, Formatter>(
  name: string,
  make: (locale: string, options: Options) => Formatter,
): (locale: string, options: Options) => Formatter {
  return (locale, options) => {
    const key = `${name} ${locale} ${JSON.stringify(options)}`;
    const known = made.get(key) as Formatter | undefined;
    if (known) return known;
    const formatter = make(locale, options);
    made.set(key, formatter);
    return formatter;
  };
}

export const collator = keep('collator', (locale, options: Intl.CollatorOptions) => new Intl.Collator(locale, options));
export const dateFormat = keep(
  'date',
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);
export const listFormat = keep(
  'list',
  (locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options),
);
export const numberFormat = keep(
  'number',
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);
export const pluralRules = keep(
  'plural',
  (locale, options: Intl.PluralRulesOptions) => new Intl.PluralRules(locale, options),
);
export const relativeTimeFormat = keep(
  'relative',
  (locale, options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(locale, options),
);

/** As it is typed: without separators of thousands. */
export function plainNumber(value: number, language: string): string {
  return numberFormat(language, { useGrouping: false, maximumFractionDigits: 10 }).format(value);
}

/** What the language writes after a number: `%` or ` %`, `°C` or ` °C`. */
export function unitAfter(unit: 'percent' | 'celsius', language: string): string {
  const style = unit === 'percent' ? { style: unit } : { style: 'unit' as const, unit, unitDisplay: 'short' as const };
  const parts = numberFormat(language, style).formatToParts(0);
  return parts.map(({ type, value }) => (type === 'integer' ? '' : value)).join('');
}
