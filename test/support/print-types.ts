/** Writes the schema as types, which is how the dashboard's queries know what they will get. Run by `npm run schema`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildSchema, introspectionFromSchema } from 'graphql';

const SCHEMA = join(import.meta.dirname, '../../src/api/graphql/schema.graphql');
const TYPES = join(import.meta.dirname, '../../src/web/dashboard/api/graphql-env.d.ts');

export function printedTypes(): string {
  const schema = buildSchema(readFileSync(SCHEMA, 'utf8'));
  const introspection = minifyIntrospection(introspectionFromSchema(schema, { descriptions: false }));
  return outputIntrospectionFile(introspection, { fileType: '.d.ts', shouldPreprocess: true });
}

if (process.argv[1] === import.meta.filename) writeFileSync(TYPES, printedTypes());
