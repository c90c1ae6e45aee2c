/** A relay without an owner: what its log shows its operator, and how the first person signs up over the network. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from '../../src/kernel/logger.ts';
import { E2eRelay } from '../support/e2e-relay.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const OFFER =
  /This relay has no owner yet\. Open (\S+) and enter the setup code ([A-Z2-9]{4}-[A-Z2-9]{4}) within ten minutes/;
const SIGN_UP = `mutation ($email: String!, $password: String!, $setupCode: String) {
  signup(email: $email, password: $password, setupCode: $setupCode) { success token error }
}`;

describe('a relay without an owner', () => {
  let lines: string[];
  let directory: TempDirectory;
  let relay: E2eRelay;

  beforeEach(async () => {
    directory = createTempDirectory('claim');
    await start();
  });

  afterEach(async () => {
    await relay.stop();
    directory.remove();
  });

  async function start(): Promise<void> {
    lines = [];
    const log = (_: object, sentence: string): void => void lines.push(sentence);
    const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
    relay = await E2eRelay.start({ directory, overrides: { logger } });
  }

  const offers = () => lines.flatMap((line) => OFFER.exec(line) ?? []);

  async function ask(query: string, variables: object, token?: string) {
    const response = await fetch(`${relay.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  }

  const claim = (email: string, setupCode: string | undefined) =>
    ask(SIGN_UP, { email, password: 'correct horse', setupCode });

  it('prints at each start where it is claimed, with a new code that works over the network, once', async () => {
    const [, , before = ''] = offers();
    await relay.stop();
    await start();
    const [, page, setupCode = ''] = offers();
    expect(page).toBe(`${relay.url}/`);
    expect(setupCode).not.toBe(before);
    expect((await fetch(page ?? '', { headers: { Accept: 'text/html' } })).status).toBe(200);

    expect((await claim('mallory@example.org', before)).body.data.signup).toMatchObject({
      success: false,
      token: null,
    });
    const { token } = (await claim('ann@example.org', setupCode)).body.data.signup;
    expect(token).toMatch(/^ey/);
    expect((await ask('{ homes { role } }', {}, token)).body.data.homes).toEqual([{ role: 'owner' }]);
    expect((await claim('mallory@example.org', setupCode)).body.data.signup).toMatchObject({
      success: false,
      token: null,
    });

    await relay.stop();
    await start();
    expect(offers()).toEqual([]);
    // A signed-in user stays so, also after a restart.
    expect((await ask('{ me { email } }', {}, token)).body.data.me).toEqual({ email: 'ann@example.org' });
    expect(lines.join('\n')).not.toContain(token);
  });
});
