import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createRestClient, createTestApi, createToken } from '../../support/rest-client.ts';
import { createTestHome, type TestHome } from '../../support/test-home.ts';

let home: TestHome;

beforeEach(() => {
  home = createTestHome();
});

afterEach(() => home.close());

/** What a file imports as soon as it is loaded: types and `import()` are not. */
const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

function packagesBehind(entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string): void => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (specifier.startsWith('.')) visit(join(dirname(file), specifier));
      else packages.add(specifier);
    }
  };
  visit(entry);
  return packages;
}

it('graphql-js and the schema are loaded at the first request, not when the daemon starts', () => {
  const src = resolve(import.meta.dirname, '../../../src');
  const atStart = packagesBehind(join(src, 'relay.ts'));
  expect(atStart).toContain('hono');
  for (const name of ['graphql', 'graphql-http', '@pothos/core']) expect(atStart).not.toContain(name);
  expect(packagesBehind(join(src, 'api/graphql/graphql-api.ts'))).toContain('graphql');
});

it('many first requests at once are all answered', async () => {
  const client = createRestClient(createTestApi(home), createToken(home));
  const answers = await Promise.all(Array.from({ length: 20 }, () => client.get('/graphql?query={homes{name}}')));
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([200, { data: { homes: [{ name: home.home.name }] } }]);
  }
});

it('HEAD is answered like GET, without a body', async () => {
  const client = createRestClient(createTestApi(home), createToken(home));
  const { status, text } = await client.request('HEAD', '/graphql?query={homes{name}}');
  expect([status, text]).toEqual([200, '']);
});
