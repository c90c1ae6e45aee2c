/** From the configuration to the phone and the mailbox: the whole daemon against real servers of both kinds. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import type { Logger } from '../../src/kernel/logger.ts';
import { type MailServer, startMailServer } from '../drivers/notifications/mail-server.ts';
import { type NtfyServer, startNtfyServer } from '../drivers/notifications/ntfy-server.ts';
import { E2eRelay } from '../support/e2e-relay.ts';

const TOKEN = 'tk_verysecret';
const PASSWORD = 'right:p@ss';

let ntfy: NtfyServer;
let mail: MailServer;
let relay: E2eRelay;
let logged: string[];

beforeEach(async () => {
  logged = [];
  ntfy = await startNtfyServer({ token: TOKEN });
  mail = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
});
afterEach(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([ntfy.close(), mail.close()]);
});

async function start(variables: Record<string, string> = {}): Promise<void> {
  const { ntfy: push, email } = loadConfig(
    { emailTo: ['anna@example.org'], emailFrom: 'pi@example.org' },
    {
      HOME: '/nowhere',
      HEARTHD_NTFY_URL: `http://127.0.0.1:${ntfy.port}/house-x7`,
      HEARTHD_NTFY_TOKEN: TOKEN,
      HEARTHD_SMTP_URL: `smtp://anna:right%3Ap%40ss@127.0.0.1:${mail.port}`,
      ...variables,
    },
  );
  const log = (fields: object, sentence: string): void => void logged.push(JSON.stringify([fields, sentence]));
  const logger: Logger = { debug: log, info: log, warn: log, error: log, child: () => logger };
  relay = await E2eRelay.start({ config: { ntfy: push, email }, overrides: { logger } });
}

describe('the daemon', () => {
  it('reaches people by what the configuration sets up, and remembers across a restart what it sent them', async () => {
    await start();
    const test = await relay.asSystem('POST', '/rest/notifications/test', { message: 'Grüße' });
    expect(test.body).toEqual({ success: true, channels: ['local', 'push', 'email'], failures: {} });
    expect(ntfy.published).toMatchObject([{ topic: 'house-x7', title: 'hearthd', message: 'Grüße' }]);
    expect(mail.mails).toMatchObject([{ to: ['anna@example.org'], subject: 'hearthd', text: 'Grüße' }]);
    await relay.stop();
    await relay.start();
    const { body } = await relay.asSystem('GET', '/rest/notifications');
    expect(body).toMatchObject([{ message: 'Grüße', channelsSent: ['local', 'push', 'email'] }]);
  });

  it('reveals neither to its callers nor to its log what is secret, when servers refuse', async () => {
    await start({
      HEARTHD_NTFY_TOKEN: `${TOKEN}-wrong`,
      HEARTHD_SMTP_URL: `smtp://anna:wrong-one@127.0.0.1:${mail.port}`,
    });
    const { body } = await relay.asSystem('POST', '/rest/notifications/test', {});
    expect(body).toMatchObject({ success: false, channels: ['local'] });
    expect(Object.keys(body.failures)).toEqual(expect.arrayContaining(['push', 'email']));
    expect(logged.filter((line) => line.includes('Could not deliver a notification'))).toHaveLength(2);
    for (const secret of [TOKEN, 'wrong-one', PASSWORD, 'house-x7', 'anna:']) {
      expect([JSON.stringify(body), ...logged].join('\n')).not.toContain(secret);
    }
  });
});
