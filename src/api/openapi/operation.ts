/**
 * One row of the API reference: a route with its input and its responses, and the conversion of that row to OpenAPI.
 */
import { z } from 'zod';
import { describeFields, describeSchema, exampleOf, type JsonSchema } from '../../contract/json-schema.ts';
import { describeBody } from './request-body.ts';

export type OperationMethod = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** The callers that `authorize` permits; the description states them in words. */
export type Audience =
  | 'everyone'
  | 'token'
  | 'view'
  | 'control'
  | 'admin'
  | 'admin of any home'
  | 'admin, signed in'
  | 'owner'
  | 'user'
  | 'session'
  | 'caretaker of apps'
  | 'founder'
  | 'owner of every home'
  | 'system';

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly required?: true;
  /** Only for required parameters: the reference fills it in, and a filter must not be preset. */
  readonly example?: unknown;
}

export interface Body {
  /** The schema that the route parses with; a JSON Schema if the route parses without zod. */
  readonly schema: z.ZodType | JsonSchema;
  /** Descriptions of the fields; whole schemas if the operation and not the route checks them. */
  readonly fields?: Readonly<Record<string, string | z.ZodType | JsonSchema>>;
  /** Besides the fields that the schema itself requires. */
  readonly required?: readonly string[];
  readonly examples: Readonly<Record<string, unknown>>;
  /** The whole body may be omitted. */
  readonly optional?: true;
  /** JSON by default. */
  readonly type?: string;
  /** A second form of the same body. */
  readonly also?: { readonly type: string; readonly schema: JsonSchema; readonly example: unknown };
}

export interface OperationAnswer {
  /** 200 by default. */
  readonly status?: 202;
  readonly description: string;
  /** The contract's schema, from which the example follows, or a JSON Schema. */
  readonly schema: z.ZodType | JsonSchema;
  readonly example?: unknown;
  /** JSON by default. */
  readonly type?: string;
  /** A second form of the same response, selected by Accept. */
  readonly also?: { readonly type: string; readonly schema: JsonSchema; readonly example?: unknown };
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Operation {
  readonly method: OperationMethod;
  /** In Hono's syntax: `/rest/rooms/:id`. */
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly audience: Audience;
  /** The path's parameters. `id` has a default. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The schema that the operation parses with, or a list. */
  readonly query?: z.ZodObject | readonly Parameter[];
  readonly body?: Body;
  /** Absent: the route always fails, with the first of `errors`. */
  readonly answer?: OperationAnswer;
  /** Besides those that follow from the audience and the body. */
  readonly errors?: readonly (304 | 400 | 403 | 404 | 422 | 429 | 503)[];
}

/** A part of the API: its routes, and the schemas that they share. */
export interface Resource {
  readonly tag: string;
  readonly description: string;
  readonly schemas?: Readonly<Record<string, JsonSchema>>;
  readonly operations: readonly Operation[];
}

/** The document's named schemas. */
type Components = Record<string, JsonSchema>;

const AUDIENCES: Readonly<Record<Audience, string>> = {
  everyone: 'Everyone, without a token.',
  token: 'Any valid token; the answer covers the homes that the token may see.',
  view: 'Callers who may view the home.',
  control: 'Callers who may control the home.',
  admin: 'Owners and admins of the home.',
  'admin of any home': 'Owners and admins of any home.',
  'admin, signed in':
    'Owners and admins of the home by their session, and the command line. Apps and access tokens may not.',
  owner: 'The owner.',
  user: 'A user, and apps and tokens that act for them; for tokens of the command line without home limits the founder.',
  session: 'A user who is signed in, by their session.',
  'caretaker of apps':
    'A user who is signed in, access tokens without home limits, apps with `mcp:admin`, and the command line.',
  founder: 'The founder, and the command line.',
  'owner of every home': 'An owner of every home of the relay who is signed in, and the command line.',
  system: 'The command line, through the Unix socket.',
};

/** `/rest/rooms/:id` → `/rest/rooms/{id}` */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** @param components gets the named schemas that the operation refers to. */
export function presentOperation(operation: Operation, tag: string, components: Components): JsonSchema {
  const { id, summary, description, audience, body } = operation;
  const parameters = [...pathParameters(operation), ...queryParameters(operation)];
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [description, AUDIENCES[audience]].filter((part) => part !== undefined).join('\n\n'),
    ...(audience === 'everyone' && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: presentBody(body, components) }),
    responses: presentAnswers(operation, components),
  };
}

function pathParameters({ path, pathParameters: known = {} }: Operation): readonly JsonSchema[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: known[name] ?? 'The id, a UUID. Upper and lower case are the same.',
    schema: { type: 'string' },
  }));
}

function queryParameters({ query = [] }: Operation): readonly JsonSchema[] {
  return (query instanceof z.ZodObject ? parametersOf(query) : query).map(queryParameter);
}

/** For a route that has other parameters as well. */
export function parametersOf(query: z.ZodObject): readonly Parameter[] {
  return describeFields(query).map(({ isRequired, ...field }) => {
    const example = isRequired ? exampleOf(query.shape[field.name]) : undefined;
    return { ...field, ...(isRequired && { required: true as const, example }) };
  });
}

function queryParameter({ name, description, schema, required, example }: Parameter): JsonSchema {
  return {
    name,
    in: 'query',
    required: required ?? false,
    description,
    schema: schema ?? { type: 'string' },
    ...(example !== undefined && { example }),
  };
}

function presentBody(
  { schema, fields, required, examples, optional, type = 'application/json', also }: Body,
  components: Components,
): JsonSchema {
  return {
    required: optional !== true,
    content: {
      [type]: {
        schema: describeBody(schema, components, fields, required),
        examples: presentExamples(examples),
      },
      ...(also && { [also.type]: { schema: also.schema, example: also.example } }),
    },
  };
}

function presentExamples(examples: Readonly<Record<string, unknown>>): JsonSchema {
  return Object.fromEntries(
    Object.entries(examples).map(([summary, value], index) => [`${index + 1}`, { summary, value }]),
  );
}

function presentAnswers(operation: Operation, components: Components): JsonSchema {
  const { answer } = operation;
  const errors = Object.fromEntries(
    errorsOf(operation).map((status) => [status, { $ref: `#/components/responses/${status}` }]),
  );
  return answer ? { [answer.status ?? 200]: presentAnswer(answer, components), ...errors } : errors;
}

function presentAnswer(answer: OperationAnswer, components: Components): JsonSchema {
  const { description, type = 'application/json', also, headers } = answer;
  const content = (of: Pick<OperationAnswer, 'schema' | 'example'>): JsonSchema => {
    const { schema, example } = presentSchema(of, components);
    return { schema, ...(example !== undefined && { example }) };
  };
  return {
    description,
    ...(headers && {
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, meaning]) => [name, { description: meaning, schema: { type: 'string' } }]),
      ),
    }),
    content: { [type]: content(answer), ...(also && { [also.type]: content(also) }) },
  };
}

function presentSchema({ schema, example }: Pick<OperationAnswer, 'schema' | 'example'>, components: Components) {
  if (!(schema instanceof z.ZodType)) return { schema, example };
  const described = describeSchema(schema);
  Object.assign(components, described.components);
  return { schema: described.schema, example: example ?? exampleOf(schema) };
}

/**
 * In ascending order: errors of every route, those of a mutation, an audience, a path and a body, and those of the row.
 */
function errorsOf({ method, audience, body, path, answer, errors = [] }: Operation): readonly number[] {
  const all = new Set<number>([...errors, 500]);
  // A change fails if it can't be saved.
  if (method !== 'get' && answer) all.add(503);
  if (audience !== 'everyone') all.add(401);
  if (audience !== 'everyone' && audience !== 'token') all.add(403);
  if (path.includes(':')) all.add(404);
  if (body) for (const status of [400, 413, 415, 422]) all.add(status);
  return [...all].sort((a, b) => a - b);
}
