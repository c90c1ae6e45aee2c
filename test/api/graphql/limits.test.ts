import fc from 'fast-check';
import { buildSchema, type GraphQLSchema, getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import { Documents } from '../../../src/api/graphql/documents.ts';
import { checkVariables } from '../../../src/api/graphql/limits.ts';
import { leastTime } from '../../support/least-time.ts';

/** The shape of the real one, small enough to be read here. */
const schema: GraphQLSchema = buildSchema(`
  type Query { homes: [PlatformHome] accessories: [PlatformAccessory] accessory(accessoryId: String!): PlatformAccessory }
  type Mutation { executeScene(sceneId: String!): Boolean }
  type PlatformHome { id: String! name: String! rooms: [PlatformRoom!]! self: PlatformHome! }
  type PlatformRoom { id: String! name: String! accessories: [PlatformAccessory!]! }
  type PlatformAccessory { id: String! name: String! services: [PlatformService!]! room: PlatformRoom }
  type PlatformService { id: String! type: String! characteristics: [PlatformCharacteristic!]! }
  type PlatformCharacteristic { id: String! type: String! value: String }
`);

function prepare(text: string) {
  return new Documents(schema).prepare(text);
}

/** A hostile document must not hold the event loop: milliseconds, with room for a slow and busy machine. */
const MAX_STALL_MS = 400;

function refusalOf(text: string): string {
  let refusal = '';
  const judge = (): void => {
    try {
      const prepared = prepare(text);
      refusal = prepared.ok ? 'accepted' : prepared.errors.map(({ message }) => message).join('\n');
    } catch (error) {
      refusal = (error as Error).message;
    }
  };
  expect(leastTime(judge, MAX_STALL_MS)).toBeLessThan(MAX_STALL_MS);
  return refusal;
}

const repeat = (times: number, one: (index: number) => string): string =>
  Array.from({ length: times }, (_, index) => one(index)).join(' ');

describe('what is refused, and how it is reported', () => {
  it.each([
    ['a thousand aliases of a query', `{ ${repeat(1000, (i) => `a${i}: homes { id }`)} }`, /too (many|long)/],
    [
      'a thousand aliases of a mutation',
      `mutation { ${repeat(400, (i) => `a${i}: executeScene(sceneId: "1")`)} }`,
      /too many|too long/,
    ],
    ['fifty-one aliases', `{ ${repeat(51, (i) => `a${i}: accessory(accessoryId: "${i}") { b: id }`)} }`, /too many/],
    [
      'more than thirty aliases of one field',
      `{ ${repeat(31, (i) => `a${i}: accessory(accessoryId: "x") { id }`)} }`,
      /One field has too many aliases: 30/,
    ],
    [
      'aliases hidden in a fragment that is spread again and again',
      `{ homes { ...A rooms { ...B } self { ...A self { ...A self { ...A } } } } } fragment A on PlatformHome { ${repeat(12, (i) => `a${i}: id`)} } fragment B on PlatformRoom { ${repeat(12, (i) => `a${i}: id`)} }`,
      /too many aliases/,
    ],
    [
      'fragments that double each other thirty times',
      `{ homes { ...F0 } } ${repeat(30, (i) => `fragment F${i} on PlatformHome { ...F${i + 1} ...F${i + 1} }`)} fragment F30 on PlatformHome { id }`,
      /too many/,
    ],
    [
      'fields that double each other through fragments',
      `{ homes { ...F0 } } ${repeat(9, (i) => `fragment F${i} on PlatformHome { self { ...F${i + 1} } a: self { ...F${i + 1} } }`)} fragment F9 on PlatformHome { id }`,
      /too many|too deep/,
    ],
    ['a fragment that spreads itself', '{ homes { ...A } } fragment A on PlatformHome { ...A }', /"A" spreads itself/],
    [
      'fragments that go in a circle',
      '{ homes { ...A } } fragment A on PlatformHome { self { ...B } } fragment B on PlatformHome { ...A }',
      /spreads itself/,
    ],
    [
      'a query deeper than ten fields',
      `{ homes ${'{ self '.repeat(10)}{ id }${' }'.repeat(10)} }`,
      /too deep: at most 10/,
    ],
    [
      'depth built from fragments',
      `{ homes { ...F0 } } ${repeat(12, (i) => `fragment F${i} on PlatformHome { self { ...F${i + 1} } }`)} fragment F12 on PlatformHome { id }`,
      /too deep/,
    ],
    [
      'a fragment spread a hundred and one times',
      `{ homes { ${'...A '.repeat(101)} } } fragment A on PlatformHome { id }`,
      /spreads too many fragments: 100/,
    ],
    ['brackets without end', `{ a(b: ${'['.repeat(5000)}`, /nests too deep/],
    ['braces without end', '{a'.repeat(2000), /nests too deep/],
    ['a document of spaces', ' '.repeat(900_000), /too long: 16384 characters/],
    ['a document of commas', ','.repeat(16_000), /Unexpected|Syntax/],
    ['a field three thousand times', `{ ${'a '.repeat(3000)} }`, /too long: 3000 tokens/],
    ['a field a thousand times', `{ homes { ${'id '.repeat(1000)} } }`, /too many fields: 300/],
    [
      'a field a thousand times in an unused fragment',
      `{ homes { id } } fragment A on PlatformHome { ${'id '.repeat(1000)} }`,
      /too many fields: 300/,
    ],
    ['sixty fields at the root', `{ ${'homes { id } '.repeat(60)} }`, /fields at its root: 50/],
    ['a directive on every field', `{ homes { ${'id @include(if: true) '.repeat(60)} } }`, /too many directives: 50/],
    ['directives on one field', `{ homes { id ${'@skip(if: false) '.repeat(200)} } }`, /too many directives/],
    ['eleven operations', repeat(11, (i) => `query Q${i} { homes { id } }`), /too many operations: 10/],
    [
      'deep introspection',
      `{ __schema { types ${'{ ofType '.repeat(20)}{ name }${' }'.repeat(20)} } }`,
      /introspection is too deep/,
    ],
    [
      'introspection in a circle',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      /introspection|too much/i,
    ],
    [
      'the whole home ten times over',
      `{ ${repeat(10, (i) => `a${i}: accessories { id name services { id type characteristics { id type value } } }`)} }`,
      /too much at once/,
    ],
    [
      'the home inside each accessory',
      '{ accessories { room { accessories { room { accessories { id services { characteristics { id } } } } } } } }',
      /too much at once/,
    ],
  ])('%s', (_, text, message) => {
    expect(refusalOf(text)).toMatch(message);
  });

  it('at most ten errors are reported, however much is wrong', () => {
    const prepared = prepare(`{ homes { ${repeat(200, (i) => `wrong${i}`)} } }`);
    expect(prepared.ok).toBe(false);
    if (!prepared.ok) {
      expect(prepared.errors.length).toBe(11);
      expect(prepared.errors.at(-1)?.message).toContain('Too many validation errors');
    }
  });

  it('variables that nest too deep, without looking further than it must', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(() => checkVariables({ value: deep })).toThrow('The variables nest too deep: 16 levels at most.');
    expect(() => checkVariables({ actions: [{ value: { list: [1] } }] })).not.toThrow();
    expect(() => checkVariables(null)).not.toThrow();
  });
});

describe('what passes', () => {
  it.each([
    [
      'the whole home',
      '{ homes { id name rooms { id name accessories { id name services { id type characteristics { id type value } } } } } }',
    ],
    [
      'every accessory with every characteristic',
      '{ accessories { id name services { id type characteristics { id type value } } } }',
    ],
    ['the usual introspection', getIntrospectionQuery()],
    [
      'the fullest introspection',
      getIntrospectionQuery({
        specifiedByUrl: true,
        directiveIsRepeatable: true,
        schemaDescription: true,
        inputValueDeprecation: true,
      }),
    ],
    ['thirty lamps by aliases', `{ ${repeat(30, (i) => `a${i}: accessory(accessoryId: "${i}") { id }`)} }`],
    ['several operations in one document', 'query A { homes { id } } query B { homes { name } }'],
    ['comments and a byte order mark', '\uFEFF# all homes\n{ homes { id } }'],
  ])('%s', (_, text) => {
    expect(refusalOf(text)).toBe('accepted');
  });

  it('any text at all is accepted or refused with a reason, and nothing else is thrown', () => {
    const pieces = fc.array(
      fc.constantFrom(
        '{',
        '}',
        '(',
        ')',
        '[',
        ']',
        ':',
        '...',
        'homes',
        'id',
        'on',
        'fragment',
        'query',
        '$x',
        '"a"',
        '1',
        '@skip',
        '__schema',
        'F',
        '\u0000',
        '"""',
      ),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 200 }),
          pieces.map((parts) => parts.join(' ')),
        ),
        (text) => {
          try {
            const prepared = prepare(text);
            if (!prepared.ok) expect(prepared.errors.length).toBeGreaterThan(0);
          } catch (error) {
            expect(error).toMatchObject({ code: 'invalid_request' });
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('the documents that are remembered', () => {
  it('are parsed and validated once', () => {
    const documents = new Documents(schema);
    const first = documents.prepare('{ homes { id } }');
    expect(first.ok && documents.prepare('{ homes { id } }')).toEqual(first);
    expect(first.ok && first.document).toBe(
      (documents.prepare('{ homes { id } }') as typeof first & { ok: true }).document,
    );
  });

  it('are few and small together, and the one used last goes last', () => {
    const documents = new Documents(schema);
    const documentOf = (text: string): unknown => {
      const prepared = documents.prepare(text);
      return prepared.ok ? prepared.document : undefined;
    };
    const kept = documentOf('{ homes { id } }');
    const dropped = documentOf('{ homes { name } }');
    for (let index = 0; index < 99; index += 1) {
      documentOf(`query Q${index} { homes { id } }`);
      expect(documentOf('{ homes { id } }')).toBe(kept);
    }
    expect(documentOf('{ homes { name } }')).not.toBe(dropped);
  });
});
