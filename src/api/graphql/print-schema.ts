/**
 * Prints the schema twice. `npm run schema` writes the reviewed copy, which `test/api/graphql` compares: the schema
 * without descriptions. Build and type check write only the types of the dashboard's documents, which git ignores.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { minifyIntrospection, outputIntrospectionFile } from '@gql.tada/internal';
import { buildClientSchema, introspectionFromSchema, lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from './schema.ts';

const ROOT = join(import.meta.dirname, '../../..');
export const REVIEWED = join(ROOT, 'test/api/graphql/schema.graphql');
const TYPES = join(ROOT, 'src/web/dashboard/api/graphql-env.d.ts');

const introspection = () => introspectionFromSchema(createSchema(), { descriptions: false });

/** Types and fields come in the order of their names, so that moving one to another file changes nothing. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(buildClientSchema(introspection())))}\n`;
}

function printedTypes(): string {
  return outputIntrospectionFile(minifyIntrospection(introspection()), { fileType: '.d.ts', shouldPreprocess: true });
}

if (process.argv[1] === import.meta.filename) {
  const types = printedTypes();
  // An unchanged file keeps its time: `npm run demo` builds only if a source is newer than the build.
  if (!existsSync(TYPES) || readFileSync(TYPES, 'utf8') !== types) writeFileSync(TYPES, types);
  if (process.argv.includes('--reviewed')) writeFileSync(REVIEWED, printedSchema());
}
