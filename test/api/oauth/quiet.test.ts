/** The library is a guest in a daemon: it prints nothing of its own, and slows nothing down once it has answered. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { TYPESCRIPT } from '../../support/typescript-process.ts';

const SCRIPT = `
import { createOAuthFixture } from './test/support/oauth-fixture.ts';
const fixture = await createOAuthFixture();
await fetch(fixture.origin + '/.well-known/oauth-authorization-server');
await fixture.registerOverHttp({ redirect_uris: ['https://app.example/callback'] });
const tokens = await fixture.signIn(await fixture.register());
await fetch(fixture.origin + '/oauth/authorize?client_id=x');
await fixture.refresh({ client_id: 'x' }, tokens.refresh_token);
await fixture.close();
await new Promise(setImmediate);
// What Node notes on each promise while an AsyncLocalStorage is on.
if (Object.getOwnPropertySymbols(Promise.resolve()).some((symbol) => symbol.description === 'kResourceStore'))
  console.log('Each promise carries a context.');
`;

it('prints nothing while apps sign in and go wrong, and leaves no context on promises', async () => {
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, [...TYPESCRIPT, '--input-type=module', '-e', SCRIPT]);
  expect(stdout + stderr).toBe('');
});
