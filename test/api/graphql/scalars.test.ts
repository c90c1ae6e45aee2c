import fc from 'fast-check';
import { buildSchema, graphqlSync, parse, specifiedRules, VariablesInAllowedPositionRule, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { LooseVariablesRule } from '../../../src/api/graphql/loose-variables.ts';
import { decodeJson, decodeValue } from '../../../src/api/graphql/scalars.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';

describe('a value in an argument', () => {
  it('is taken as it is, or out of a text that holds it in JSON', () => {
    expect([true, 'true', ' false ', 42, '42', '-1.5', '"heat"', 'heat', null].map(decodeValue)).toEqual([
      true,
      true,
      false,
      42,
      42,
      -1.5,
      'heat',
      'heat',
      null,
    ]);
  });

  it('stays text where a number would lose something of it', () => {
    for (const text of [
      '18168078900403521793',
      '007',
      '1e3',
      '1.0',
      '+5',
      '0x10',
      'Infinity',
      'NaN',
      '',
      ' ',
      '-0',
      '[1]',
      '{"a":1}',
      'null',
    ]) {
      expect(decodeValue(text)).toBe(text);
    }
  });

  it('comes back from its JSON, for every boolean, text or number', () => {
    const value = fc.oneof(fc.boolean(), fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }));
    fc.assert(
      fc.property(value, (original) => {
        const decoded = decodeValue(JSON.stringify(original));
        // `1e21`, and minus zero, stay text: the characteristic's format reads them.
        expect(typeof original === 'number' ? Number(decoded) + 0 : decoded).toBe(
          typeof original === 'number' ? original + 0 : original,
        );
      }),
    );
  });

  it('never becomes an object or a list', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(typeof decodeValue(text)).not.toBe('object');
      }),
    );
  });
});

describe('a list or an object in an argument', () => {
  it('is taken as it is, or out of a text that holds it in JSON', () => {
    expect(decodeJson('[{"a": 1}]', 'actions')).toEqual([{ a: 1 }]);
    expect(decodeJson([{ a: 1 }], 'actions')).toEqual([{ a: 1 }]);
    expect(decodeJson(undefined, 'actions')).toBeUndefined();
  });

  it('is refused by name where the text is no JSON', () => {
    expect(() => decodeJson('[{', 'actions')).toThrow(/actions/);
  });
});

describe('JSON as a scalar', () => {
  it('takes literals of every kind, with variables inside', () => {
    const schema = buildSchema('scalar JSON type Query { echo(value: JSON!): JSON count: Int }');
    const scalar = schema.getType('JSON');
    Object.assign(scalar ?? {}, pickCoercion());
    const source = 'query($x: Int) { echo(value: { a: [1, 2.5, "t", true, null, WORD], b: $x }) }';
    const rootValue = { echo: ({ value }: { value: unknown }) => value };
    const { data, errors } = graphqlSync({ schema, source, rootValue, variableValues: { x: 7 } });
    expect(errors).toBeUndefined();
    expect(JSON.parse(JSON.stringify(data))).toEqual({ echo: { a: [1, 2.5, 't', true, null, 'WORD'], b: 7 } });
  });
});

/** How the schema's own scalar reads and writes. */
function pickCoercion(): object {
  const own = createSchema().getType('JSON');
  if (!own || !('parseLiteral' in own)) throw new Error('The schema has no scalar JSON');
  const { serialize, parseValue, parseLiteral } = own;
  return { serialize, parseValue, parseLiteral };
}

describe('a variable', () => {
  const schema = createSchema();
  const rules = specifiedRules.map((rule) => (rule === VariablesInAllowedPositionRule ? LooseVariablesRule : rule));
  const check = (document: string): readonly string[] =>
    validate(schema, parse(document), rules).map(({ message }) => message);
  const set = (type: string) =>
    `mutation($v: ${type}) { setCharacteristic(accessoryId: "a", characteristicType: "on", value: $v) { success } }`;

  it('may be declared as any type where JSON is taken', () => {
    for (const type of ['JSON!', 'String!', 'Boolean!', 'Int!', 'Float!', 'ID!', '[String!]!']) {
      expect(check(set(type))).toEqual([]);
    }
  });

  it('may still not be null where JSON may not', () => {
    expect(check(set('String'))).toEqual([expect.stringContaining('$v')]);
    expect(check(set('String = "true"'))).toEqual([]);
  });

  it('may be an ID where text is taken', () => {
    expect(check('query($id: ID!) { accessory(accessoryId: $id) { id } }')).toEqual([]);
  });

  it('must be of the right type anywhere else', () => {
    expect(check('query($id: Int!) { accessory(accessoryId: $id) { id } }')).toEqual([expect.stringContaining('$id')]);
    expect(check('mutation($p: String!) { setHomePaused(homeId: "h", paused: $p) { id } }')).toEqual([
      expect.stringContaining('$p'),
    ]);
  });
});
