/**
 * The fields of a kind in the tools' format: with names in snake_case, and durations as seconds. Their schemas are
 * those of the kind. What names a thing of the home has words of its own (`vocabulary.ts`).
 */
import { z } from 'zod';
import type { Duration } from '../../../app/automations/field-types.ts';
import { DURATION as RECORD_DURATION } from '../../../app/automations/parsing/durations.ts';
import { type FieldSet, schemasOf } from '../../../app/automations/parsing/field.ts';
import { VALUE } from '../../../app/automations/parsing/field-kinds.ts';
import { presentDuration } from './durations.ts';
import type { Node, NodeReading, WireNode } from './node.ts';

export interface NamedKind {
  readonly type: string;
  readonly fields: FieldSet;
}

/** Fields of the record that name things of the home. */
const REFERENCES: ReadonlySet<string> = new Set([
  'homeId',
  'accessoryId',
  'serviceGroupId',
  'characteristicType',
  'sceneId',
]);

interface KindField {
  /** In the record. */
  readonly name: string;
  readonly wire: string;
  readonly schema: z.ZodType;
  readonly form: 'duration' | 'value' | 'plain';
}

export class KindFields {
  readonly #list: readonly KindField[];

  /** @param names of fields that the tools call otherwise */
  constructor(fields: FieldSet, names: Readonly<Record<string, string>> = {}) {
    this.#list = schemasOf(fields)
      .filter(([name]) => !REFERENCES.has(name))
      .map(([name, schema]) => {
        const form = formOf(schema);
        const own = form === 'duration' ? inSeconds(schema) : schema;
        return { name, wire: names[name] ?? snakeCase(name), schema: own, form };
      });
  }

  get schema(): z.ZodRawShape {
    return Object.fromEntries(this.#list.map(({ wire, schema }) => [wire, schema]));
  }

  /** The fields, in the record, that hold a value of the characteristic. */
  get values(): readonly string[] {
    return this.#list.filter(({ form }) => form === 'value').map(({ name }) => name);
  }

  /** @param watched whose values are in its property's words */
  read(node: Node, watched?: NodeReading): WireNode {
    return Object.fromEntries(
      this.#list.map(({ name, wire, form }) => {
        if (form === 'duration') return [name, node.duration(name, wire)];
        return [name, form === 'value' && watched ? node.value(watched, name, wire) : node.take(name, wire)];
      }),
    );
  }

  present(part: object): WireNode {
    const record = part as WireNode;
    return Object.fromEntries(
      this.#list.map(({ name, wire, form }) => {
        const value = record[name];
        return [wire, form === 'duration' && value !== undefined ? presentDuration(value as Duration) : value];
      }),
    );
  }
}

export interface PlainRow {
  readonly schema: z.ZodRawShape;
  read(node: Node): WireNode;
  present(part: object): WireNode;
}

/** A kind that the tools have as the record has it. */
export function plainRow({ type, fields }: NamedKind): PlainRow {
  const own = new KindFields(fields);
  return {
    schema: own.schema,
    read: (node) => ({ type, ...own.read(node) }),
    present: (part) => ({ type, ...own.present(part) }),
  };
}

function innerOf(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema;
}

function formOf(schema: z.ZodType): KindField['form'] {
  const inner = innerOf(schema);
  if (inner.def === VALUE.def) return 'value';
  const forms = inner instanceof z.ZodUnion ? (inner.options as readonly z.ZodType[]) : [inner];
  return forms.some(({ def }) => def === RECORD_DURATION.def) ? 'duration' : 'plain';
}

function inSeconds(schema: z.ZodType): z.ZodType {
  const description = [innerOf(schema).description, 'Seconds or {hours, minutes, seconds}.'].filter(Boolean).join(' ');
  const own = z.unknown().meta({ type: ['number', 'object'], description });
  return schema instanceof z.ZodOptional ? own.optional() : own;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
