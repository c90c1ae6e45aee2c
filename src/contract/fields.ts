/**
 * The kinds of fields that resources have. Each takes its description, which every API shows, and an example, from
 * which the examples of the reference are made. Input fields know their limits and the sentences of their errors.
 */
import { z } from 'zod';
import { endsInLetterOrNumber, parseName, suggestEnding } from '../home/names.ts';
import { MAX_NAME_LENGTH } from '../home/vocabulary/limits.ts';
import { shorten } from '../home/vocabulary/values.ts';
import { HearthError } from '../kernel/errors.ts';
import { nearest } from '../kernel/nearest.ts';
import { invalidValue } from './parse.ts';

export const EXAMPLE_ID = '3e1f2a9c-7d54-4b86-9c0e-51a2b3c4d5e6';
export const EXAMPLE_TIME = '2030-01-31T12:00:00.000Z';

/** A UUID in lower case. */
export function id(description = 'A UUID.', example = EXAMPLE_ID) {
  return z.string().meta(metaOf(description, example, { format: 'uuid' }));
}

/** ISO 8601 in UTC. */
export function time(description?: string, example = EXAMPLE_TIME) {
  return z.string().meta(metaOf(description, example, { format: 'date-time' }));
}

export function text(description?: string, example?: string) {
  return z.string().meta(metaOf(description, example));
}

export function flag(description?: string, example?: boolean) {
  return z.boolean().meta(metaOf(description, example));
}

export function integer(description?: string, example?: number) {
  return z.number().int().meta(metaOf(description, example));
}

export function number(description?: string, example?: number) {
  return z.number().meta(metaOf(description, example));
}

/** An object that a parser of the model reads. */
export function anyObject(description: string) {
  return z.record(z.string(), z.unknown()).meta(metaOf(description));
}

/** The value of a characteristic. Of input the operation parses it. */
export function anyValue<T = unknown>(description: string, example?: unknown): z.ZodType<T, T> {
  const meta = metaOf(description, example, { type: ['boolean', 'number', 'string', 'null'] });
  return z.unknown().meta(meta) as z.ZodType<T, T>;
}

/** The answer to a change that has nothing else to show. */
export function success<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.object({ success: z.literal(true), ...shape });
}

/** A whole number within its limits. */
export function whole({ from, to }: { readonly from: number; readonly to: number }, description?: string) {
  const error = invalidValue(`it takes a whole number from ${from} to ${to}`);
  return z.number({ error }).int().min(from).max(to).meta(metaOf(description));
}

/** One of the words, with a suggestion for a mistyped one. APIs hand in any text. */
export function word<const Words extends readonly string[]>(
  words: Words,
  description?: string,
): z.ZodType<Words[number], string> {
  const error = invalidValue((input) => unknownWord(typeof input === 'string' ? input : '', words));
  const given = z.string({ error }).meta(metaOf(description, undefined, { enum: words }));
  return given.refine((one) => words.includes(one), { error }) as unknown as z.ZodType<Words[number], string>;
}

/** `"x" is none of a, b. Did you mean "a"?` */
export function unknownWord(input: string, words: readonly string[]): string {
  const meant = nearest(input, words);
  return `"${shorten(input)}" is none of ${words.join(', ')}.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`;
}

interface NameOptions {
  readonly max?: number;
  readonly description?: string;
  readonly example?: string;
}

/** A name for people, trimmed. @param what starts the sentences of its errors: `Webhook name`. */
export function name(what: string, options: NameOptions = {}) {
  const { max = MAX_NAME_LENGTH, description = `At most ${max} characters.`, example = 'Alarm' } = options;
  const meta = metaOf(description, example, { maxLength: max });
  return checkedBy(z.string({ error: `${what} must be text` }).meta(meta), (input) => parseName(input, what, max));
}

/** A name that ends in a letter or a number. */
export function nameWithEnding(what: string, options: NameOptions = {}) {
  return checkedBy(name(what, options), (given) => {
    if (endsInLetterOrNumber(given)) return given;
    const suggestion = suggestEnding(given);
    const advice = suggestion === '' ? '' : `; "${suggestion}" would do`;
    throw new HearthError('invalid_value', `${what} must end with a letter or a number${advice}`, {
      reason: 'bad_name_end',
      field: 'name',
    });
  });
}

const MAX_LISTED = 500;

/** A list of texts, trimmed, each of them once. */
export function texts(description: string, example?: readonly string[]) {
  return z
    .array(z.string(), { error: invalidValue('it takes a list of texts') })
    .max(MAX_LISTED, { error: invalidValue(`it takes at most ${MAX_LISTED}`) })
    .meta(metaOf(description, example))
    .transform((given): readonly string[] => [...new Set(given.map((one) => one.trim()))]);
}

/** The maximum number of entries that a client asks for. */
export function limit(max: number) {
  return whole({ from: 1, to: max }, 'The maximum number of entries.');
}

export function offset() {
  return whole({ from: 0, to: Number.MAX_SAFE_INTEGER }, 'How many entries to skip.').default(0);
}

/** Checks a value by a rule that returns why it is wrong, or `null`. */
export function checked<S extends z.ZodType>(schema: S, errorOf: (value: z.output<S>) => string | null): S {
  const error = invalidValue((input) => errorOf(input as z.output<S>) ?? '');
  return schema.refine((value) => errorOf(value) === null, { error });
}

/** Applies a parser of the model; what it throws is the error, unchanged. It returns the same for its own result. */
export function checkedBy<S extends z.ZodType, T>(schema: S, parse: (input: z.output<S>) => T) {
  return schema.transform((input, context): T => {
    try {
      return parse(input);
    } catch (error) {
      if (!(error instanceof HearthError)) throw error;
      context.issues.push({ code: 'custom', input, message: error.message, params: { error } });
      return z.NEVER;
    }
  });
}

function metaOf(description: string | undefined, example?: unknown, more: Readonly<Record<string, unknown>> = {}) {
  return {
    ...more,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}
