/** Formats compiled messages. The parser is not needed here, so that no page loads it. */
import { dateFormat, numberFormat, pluralRules } from './intl.ts';

/** A message without arguments is its text, another one is a list of parts: see `compile.ts`. */
export type CompiledMessage = string | readonly Part[];

export type Part =
  | string
  | readonly ['argument', name: string]
  | readonly ['number', name: string, options: Intl.NumberFormatOptions]
  | readonly ['date', name: string, options: Intl.DateTimeFormatOptions]
  | readonly ['plural', name: string, options: Intl.PluralRulesOptions, forms: Forms]
  | readonly ['select', name: string, forms: Forms]
  /** The number of the plural around it. */
  | readonly ['#']
  | readonly ['tag', name: string, content: readonly Part[]];

type Forms = Readonly<Record<string, readonly Part[]>>;

/** A catalogue with its messages compiled: nested like the file. */
export interface CompiledCatalogue {
  readonly [key: string]: CompiledMessage | CompiledCatalogue;
}

type Values = Readonly<Record<string, unknown>>;

/** A catalogue as the pages use it: text, or a function of the arguments. */
export function bindCatalogue(catalogue: CompiledCatalogue, language: string): object {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, entry]) => {
      if (typeof entry === 'string') return [key, entry];
      if (isMessage(entry)) return [key, (values: Values) => formatMessage(entry, values, language)];
      return [key, bindCatalogue(entry, language)];
    }),
  );
}

function isMessage(entry: readonly Part[] | CompiledCatalogue): entry is readonly Part[] {
  return Array.isArray(entry);
}

export function formatMessage(message: readonly Part[], values: Values, language: string): string | readonly unknown[] {
  const result = format(message, values, language, '');
  return result.every((part) => typeof part === 'string') ? result.join('') : result;
}

function format(parts: readonly Part[], values: Values, language: string, count: string): readonly unknown[] {
  return parts.flatMap((part): unknown => {
    if (typeof part === 'string') return part;
    switch (part[0]) {
      case '#':
        return count;
      case 'argument':
        return [values[part[1]]];
      case 'number':
        return numberFormat(language, part[2]).format(values[part[1]] as number);
      case 'date':
        return dateFormat(language, part[2]).format(values[part[1]] as number | Date);
      case 'select': {
        const [, name, forms] = part;
        return format(forms[String(values[name])] ?? otherOf(forms), values, language, count);
      }
      case 'plural': {
        const [, name, options, forms] = part;
        const number = values[name] as number;
        const form = forms[`=${number}`] ?? forms[pluralRules(language, options).select(number)] ?? otherOf(forms);
        return format(form, values, language, numberFormat(language, {}).format(number));
      }
      default: {
        const [, name, content] = part;
        const wrap = values[name] as (text: string) => unknown;
        return [wrap(format(content, values, language, count).join(''))];
      }
    }
  });
}

/** The parser takes no plural or select without it. */
function otherOf(forms: Forms): readonly Part[] {
  return forms.other ?? [];
}
