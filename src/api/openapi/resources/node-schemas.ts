/**
 * The fields of all kinds of triggers, conditions or actions as one object, which editors and client generators handle
 * best. The descriptions name the kinds that have the field.
 */
import type { z } from 'zod';
import type { FieldSet } from '../../../app/automations/parsing/field.ts';
import { schemasOf } from '../../../app/automations/parsing/field.ts';
import { describeSchema, type JsonSchema } from '../../../contract/json-schema.ts';

type FieldSets = Readonly<Record<string, { readonly fields: FieldSet }>>;

interface Use {
  readonly kind: string;
  readonly schema: JsonSchema;
}

/** All fields are optional except the type. @param common the fields of all kinds */
export function nodeSchema(kinds: FieldSets, common: FieldSet = {}): JsonSchema {
  const uses = new Map<string, Use[]>();
  for (const [kind, { fields }] of Object.entries(kinds)) {
    for (const [name, schema] of schemasOf(fields)) {
      uses.set(name, [...(uses.get(name) ?? []), { kind, schema: describe(schema) }]);
    }
  }
  const own = [...uses].map(([name, list]) => [name, merged(list)] as const);
  return {
    type: 'object',
    properties: {
      type: { type: 'string', enum: Object.keys(kinds), description: 'Which of the other fields there are.' },
      ...Object.fromEntries(schemasOf(common).map(([name, schema]) => [name, describe(schema)])),
      ...Object.fromEntries(own),
    },
    required: ['type'],
  };
}

/** The named schemas that the fields refer to. */
export function nodeComponents(kinds: FieldSets): Readonly<Record<string, JsonSchema>> {
  const all = Object.values(kinds).flatMap(({ fields }) => schemasOf(fields));
  return Object.assign({}, ...all.map(([, schema]) => describeSchema(schema).components));
}

function describe(schema: z.ZodType): JsonSchema {
  return describeSchema(schema).schema;
}

function merged(uses: readonly Use[]): JsonSchema {
  const kinds = new Map<string, string[]>();
  const forms = new Map<string, JsonSchema>();
  for (const { kind, schema } of uses) {
    const { description = '', ...form } = schema;
    kinds.set(String(description), [...(kinds.get(String(description)) ?? []), kind]);
    forms.set(JSON.stringify(form), form);
  }
  const texts = [...kinds].map(([text, names]) => `Of ${names.map((name) => `\`${name}\``).join(', ')}: ${text}`);
  return { ...mergedForm([...forms.values()]), description: texts.join(' ') };
}

function mergedForm(forms: readonly JsonSchema[]): JsonSchema {
  const [only = {}, ...others] = forms;
  if (others.length === 0) return only;
  // A field that takes any value in one of the kinds takes any value.
  if (forms.some((form) => Object.keys(form).length === 0)) return {};
  const words = forms.flatMap((form) => (Array.isArray(form.enum) ? (form.enum as string[]) : []));
  const isWords = forms.every((form) => Array.isArray(form.enum));
  return isWords ? { type: 'string', enum: [...new Set(words)] } : { anyOf: forms };
}
