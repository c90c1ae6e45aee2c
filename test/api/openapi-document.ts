/** The API document as tests look into it, and schemas of it made ready to judge values. */
import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { createOpenApi } from '../../src/api/openapi/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks for what it expects, and fails if it is not there.
type Json = any;

export const DOCUMENT: Json = createOpenApi('0.0.0');

/** Every object may have only the fields that are described: what is answered and not described fails. */
const CLOSED: Json = close(structuredClone(DOCUMENT));

export function documentAjv(options: Options = {}): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, ...options });
  addFormats.default(ajv);
  return ajv;
}

const ajv = documentAjv({ strict: false });
ajv.addSchema({ $id: 'document', ...CLOSED });

/** @param schema of the document, or one that refers into its components. */
export function compileSchema(schema: Json): ValidateFunction {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'));
  return ajv.compile(close(absolute));
}

export interface DescribedOperation {
  /** `GET /rest/rooms/{id}` */
  readonly name: string;
  readonly path: string;
  readonly operation: Json;
}

export function listOperations(): readonly DescribedOperation[] {
  return Object.entries<Json>(DOCUMENT.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      operation,
    })),
  );
}

export function operationOf(method: string, path: string): Json {
  const operation = DOCUMENT.paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  return operation;
}

function close(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(close);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  const isOpen = schema.type === 'object' && schema.properties && schema.additionalProperties === undefined;
  return isOpen ? { ...inner, additionalProperties: false } : inner;
}
