/** The library is a guest in a daemon: it says nothing of its own. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SCRIPT = `
import { createOAuthLab } from './test/support/oauth-lab.ts';
const lab = await createOAuthLab();
await fetch(lab.origin + '/.well-known/oauth-authorization-server');
await lab.registerOverHttp({ redirect_uris: ['https://app.example/callback'] });
const tokens = await lab.signIn(await lab.register());
await fetch(lab.origin + '/oauth/authorize?client_id=x');
await lab.refresh({ client_id: 'x' }, tokens.refresh_token);
await lab.close();
`;

it('prints nothing while apps sign in and go wrong', async () => {
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT]);
  expect(stdout + stderr).toBe('');
});
