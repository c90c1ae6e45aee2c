/**
 * References to inputs in the automation of a blueprint. `$(lights)` alone is the input's value; within a longer text
 * it is the value as text. `$$(` is a literal `$(`. A part follows a dot: `$(sensor.property)`.
 */
import type { Json, JsonObject } from '../../../kernel/json.ts';

/** The members that decide whether a node is there, and how often. */
export const MARKERS = ['$each', '$has', '$if', '$unless'] as const;

/** The parts of a value: of an accessory its property, of a duration its seconds, of one of several its index. */
export const PARTS = ['property', 'seconds', 'index'] as const;

const REFERENCE = /\$(\$?)\(([^()\s]{1,80})\)/g;

/** A reference that is the whole text. */
export function wholeReference(text: string): string | undefined {
  const [match] = text.matchAll(REFERENCE);
  return match && match[1] === '' && match[0] === text ? match[2] : undefined;
}

/** A text with its references replaced, and `$$(` by `$(`. */
export function replaceReferences(text: string, replace: (reference: string) => string): string {
  return text.replace(REFERENCE, (all, isEscaped: string, reference: string) =>
    isEscaped === '' ? replace(reference) : all.slice(1),
  );
}

/** A text in which nothing is a reference. */
export function escapeReferences(text: string): string {
  return text.replace(REFERENCE, (all) => `$${all}`);
}

/** `lights.property` */
export function splitReference(reference: string): { readonly id: string; readonly part: string | undefined } {
  const dot = reference.indexOf('.');
  return dot < 0 ? { id: reference, part: undefined } : { id: reference.slice(0, dot), part: reference.slice(dot + 1) };
}

/** A reference in an automation with its place: `actions[2].value`. */
export interface PlacedReference {
  readonly reference: string;
  /** The member that holds it, if that is a marker. */
  readonly marker: string | undefined;
  readonly path: string;
}

export function* referencesIn(value: Json | undefined, path = '', marker?: string): Iterable<PlacedReference> {
  if (typeof value === 'string') {
    if (marker !== undefined) yield { reference: value, marker, path };
    else
      for (const [, isEscaped, reference = ''] of value.matchAll(REFERENCE)) {
        if (isEscaped === '') yield { reference, marker, path };
      }
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (isList(value)) {
    for (const [index, item] of value.entries()) yield* referencesIn(item, `${path}[${index}]`);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const isInput = name === '$each' || name === '$if' || name === '$unless';
    yield* referencesIn(item, path === '' ? name : `${path}.${name}`, isInput ? name : undefined);
  }
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
