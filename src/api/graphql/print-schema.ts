/** Writes `schema.graphql`, the schema as text: what the tests compare, and what clients generate their code from. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lexicographicSortSchema, printSchema } from 'graphql';
import { createSchema } from './schema.ts';

/** Types and fields come in the order of their names, so that moving one to another file changes nothing. */
export function printedSchema(): string {
  return `${printSchema(lexicographicSortSchema(createSchema()))}\n`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(import.meta.dirname, 'schema.graphql'), printedSchema());
}
