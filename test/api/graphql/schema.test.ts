import { readFileSync } from 'node:fs';
import {
  GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  validateSchema,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { printedSchema, REVIEWED } from '../../../src/api/graphql/print-schema.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';

/** Everything that a reader of GraphiQL meets, by path. */
function* described(schema: GraphQLSchema): Iterable<readonly [path: string, description: string | null | undefined]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    yield [type.name, type.description];
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) yield [`${type.name}.${name}`, description];
    // Input fields and arguments are often plain from their name; a description explains the others.
    if (isInputObjectType(type) || !(isObjectType(type) || isInterfaceType(type))) continue;
    for (const field of Object.values(type.getFields())) yield [`${type.name}.${field.name}`, field.description];
  }
}

describe('the GraphQL schema', () => {
  const schema = createSchema();

  it('is valid', () => {
    expect(validateSchema(schema)).toEqual([]);
  });

  it('equals the reviewed copy: after a change run `npm run schema`', () => {
    expect(readFileSync(REVIEWED, 'utf8')).toBe(printedSchema());
  });

  it('describes every type and every field', () => {
    const silent = [...described(schema)].filter(([, description]) => !description?.trim()).map(([path]) => path);
    expect(silent).toEqual([]);
  });

  it('has one scalar of its own', () => {
    const builtIn = ['Boolean', 'Float', 'Int', 'String', 'ID'];
    const own = Object.values(schema.getTypeMap()).filter(
      (type) => type instanceof GraphQLScalarType && !builtIn.includes(type.name),
    );
    expect(own.map(String)).toEqual(['JSON']);
  });

  it('reports success, error and code in every result type', () => {
    // By its name of the API document one more, which is a page of a list.
    const isResult = ({ name }: { name: string }) => name.endsWith('Result') && name !== 'DeliveryHistoryResult';
    const results = Object.values(schema.getTypeMap()).filter(isResult);
    expect(results.length).toBeGreaterThan(10);
    for (const type of results) {
      if (!isObjectType(type)) continue;
      const fields = type.getFields();
      expect(`${type}: ${fields.success?.type} ${fields.error?.type} ${fields.code?.type}`).toBe(
        `${type}: Boolean! String String`,
      );
    }
  });

  it('lets every root field of the mutation be null, so that one failure does not hide what the others did', () => {
    const nonNull = Object.values(schema.getMutationType()?.getFields() ?? {}).filter(({ type }) =>
      String(type).endsWith('!'),
    );
    expect(nonNull.map(({ name }) => name)).toEqual([]);
  });
});
