import { describe, expect, it } from 'vitest';
import { resolveSubtree } from '../../../src/web/docs/api/resolve-references.ts';
import { DOCUMENT, listOperations } from '../../api/openapi-document.ts';

/** The references that are left in `part`, with those around each. */
function* referencesIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return;
  if ('$ref' in part && typeof part.$ref === 'string') yield part.$ref;
  for (const value of Object.values(part)) yield* referencesIn(value);
}

const specOf = async (document: unknown, ...path: string[]) => (await resolveSubtree(document, path)).spec;

describe('resolveSubtree', () => {
  it.each(listOperations())('resolves all of $name but what holds itself', async ({ path, operation }) => {
    const method = Object.keys(DOCUMENT.paths[path]).find((key) => DOCUMENT.paths[path][key] === operation) as string;
    const left = new Set(referencesIn(await specOf(DOCUMENT, 'paths', path, method)));
    for (const reference of left) {
      const name = reference.replace('#/components/schemas/', '');
      // Resolved by itself it comes back to itself.
      expect([...referencesIn(await specOf(DOCUMENT, 'components', 'schemas', name))]).toContain(reference);
    }
  });

  it('keeps what stands beside a reference, in place of what the target has', async () => {
    const document = {
      a: { $ref: '#/b', description: 'nearer' },
      b: { description: 'farther', type: 'string', items: [{ $ref: '#/c/d~1e~0f' }] },
      c: { 'd/e~f': { enum: ['$ref', null] } },
    };
    expect(await specOf(document, 'a')).toEqual({
      description: 'nearer',
      type: 'string',
      items: [{ enum: ['$ref', null] }],
    });
  });

  it('leaves a reference within its own target, and follows it elsewhere', async () => {
    const document = { tree: { left: { $ref: '#/tree' }, size: { $ref: '#/size' } }, size: { type: 'integer' } };
    const tree = { left: { $ref: '#/tree' }, size: { type: 'integer' } };
    expect(await specOf(document, 'tree', 'left')).toEqual(tree);
    expect(await specOf(document, 'tree')).toEqual({ left: tree, size: { type: 'integer' } });
  });

  it('is nothing where the document has nothing', async () => {
    expect(await resolveSubtree(DOCUMENT, ['paths', '/rest/nothing', 'get'])).toEqual({ spec: undefined, errors: [] });
  });
});
