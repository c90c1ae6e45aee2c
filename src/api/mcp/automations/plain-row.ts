/**
 * Kinds whose parts have the record's fields in the tools' format too: with names in snake_case, and durations as
 * seconds. Their schemas are those of the kinds.
 */
import { z } from 'zod';
import type { Duration } from '../../../app/automations/field-types.ts';
import { DURATION as RECORD_DURATION } from '../../../app/automations/parsing/durations.ts';
import { type FieldSet, schemasOf } from '../../../app/automations/parsing/field.ts';
import { presentDuration } from './durations.ts';
import type { Node, WireNode } from './node.ts';
import { DURATION } from './vocabulary.ts';

export interface PlainRow {
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
  present(part: object): WireNode;
}

interface PlainField {
  /** In the record. */
  readonly name: string;
  readonly wire: string;
  readonly schema: z.ZodType;
  readonly isDuration: boolean;
}

/** @param texts shorter descriptions than those of the kind: a model reads all of them first */
export function plainRow(
  { type, fields }: { readonly type: string; readonly fields: FieldSet },
  texts: Readonly<Record<string, string>> = {},
): PlainRow {
  const list = schemasOf(fields).map(([name, schema]): PlainField => {
    const isDuration = isOf(schema, RECORD_DURATION);
    const own = isDuration ? DURATION.optional() : schema;
    const description = texts[name];
    return {
      name,
      wire: snakeCase(name),
      isDuration,
      schema: description === undefined ? own : own.describe(description),
    };
  });
  return {
    schema: Object.fromEntries(list.map(({ wire, schema }) => [wire, schema])),
    read(node) {
      const values = list.map(({ name, wire, isDuration }) => [
        name,
        isDuration ? node.duration(name, wire) : node.take(name, wire),
      ]);
      return { type, ...Object.fromEntries(values) };
    },
    present(part) {
      const record = part as WireNode;
      const values = list.map(({ name, wire, isDuration }) => {
        const value = record[name];
        return [wire, isDuration && value !== undefined ? presentDuration(value as Duration) : value];
      });
      return { type, ...Object.fromEntries(values) };
    },
  };
}

/** Whether it is this schema, with a description of its own or optional. */
function isOf(schema: z.ZodType, other: z.ZodType): boolean {
  const inner = schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
  return inner.def === other.def;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
