/** Compiles ICU MessageFormat. Runs when pages and relay are built. */
import { type MessageFormatElement, parse, type SKELETON_TYPE, TYPE } from '@formatjs/icu-messageformat-parser';
import type { CompiledCatalogue, CompiledMessage, Part } from './message.ts';

/** A catalogue as in its file. */
export interface Catalogue {
  readonly [key: string]: string | Catalogue;
}

export function compileCatalogue(catalogue: Catalogue): CompiledCatalogue {
  return Object.fromEntries(
    Object.entries(catalogue).map(([key, entry]) => [
      key,
      typeof entry === 'string' ? compileMessage(entry) : compileCatalogue(entry),
    ]),
  );
}

/** @throws with the message, if it is not ICU MessageFormat or uses a part of it that is not supported. */
export function compileMessage(message: string): CompiledMessage {
  try {
    const parts = compileParts(parse(message));
    return parts.every((part) => typeof part === 'string') ? parts.join('') : parts;
  } catch (error) {
    throw new Error(`“${message}”: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function compileParts(elements: readonly MessageFormatElement[]): readonly Part[] {
  return elements.map(compilePart);
}

function compilePart(element: MessageFormatElement): Part {
  switch (element.type) {
    case TYPE.literal:
      return element.value;
    case TYPE.pound:
      return ['#'];
    case TYPE.argument:
      return ['argument', element.value];
    case TYPE.number:
      return ['number', element.value, optionsOf(element.style, NUMBER_STYLES)];
    case TYPE.date:
      return ['date', element.value, optionsOf(element.style ?? 'medium', stylesOf('dateStyle'))];
    case TYPE.time:
      return ['date', element.value, optionsOf(element.style ?? 'medium', stylesOf('timeStyle'))];
    case TYPE.tag:
      return ['tag', element.value, compileParts(element.children)];
    case TYPE.select:
      return ['select', element.value, formsOf(element.options)];
    case TYPE.plural:
      if (element.offset !== 0) throw new Error('a plural with an offset is not supported');
      return ['plural', element.value, { type: element.pluralType ?? 'cardinal' }, formsOf(element.options)];
  }
}

type Style<Options> = string | { readonly type: SKELETON_TYPE; readonly parsedOptions: Options } | null | undefined;

function optionsOf<Options extends object>(style: Style<Options>, named: Readonly<Record<string, Options>>): Options {
  if (!style) return named.default ?? ({} as Options);
  if (typeof style === 'object') return style.parsedOptions;
  const options = named[style];
  if (!options) throw new Error(`the style ${style} is unknown`);
  return options;
}

const NUMBER_STYLES: Readonly<Record<string, Intl.NumberFormatOptions>> = {
  integer: { maximumFractionDigits: 0 },
  percent: { style: 'percent' },
};

function stylesOf(key: 'dateStyle' | 'timeStyle'): Readonly<Record<string, Intl.DateTimeFormatOptions>> {
  const styles = ['short', 'medium', 'long', 'full'] as const;
  return Object.fromEntries(styles.map((style) => [style, { [key]: style }]));
}

function formsOf(options: Readonly<Record<string, { readonly value: readonly MessageFormatElement[] }>>) {
  return Object.fromEntries(Object.entries(options).map(([form, { value }]) => [form, compileParts(value)]));
}
