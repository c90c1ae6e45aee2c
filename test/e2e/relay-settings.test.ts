/**
 * Settings that need no restart, in a whole daemon: each acts at once, is kept over a restart, and no secret of them is
 * ever shown.
 */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../src/kernel/logger.ts';
import { openSqlite } from '../../src/storage/sqlite.ts';
import { type MailServer, startMailServer } from '../drivers/notifications/mail-server.ts';
import { type NtfyServer, startNtfyServer } from '../drivers/notifications/ntfy-server.ts';
import { type Answer, E2eRelay, eventually } from '../support/e2e-relay.ts';
import { TestBroker } from '../support/mqtt-broker.ts';

const logged: string[] = [];
const destination = {
  write: (line: string) => {
    logged.push(line);
  },
};
const log = createLog({ level: 'info', format: 'json', destination });

let relay: E2eRelay;
let ntfy: NtfyServer;
let mail: MailServer;
let broker: TestBroker;

beforeAll(async () => {
  ntfy = await startNtfyServer({ token: 'tk_verysecret' });
  mail = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
  broker = await TestBroker.start({ credentials: { username: 'ada', password: 'brokersecret' } });
  relay = await E2eRelay.start({ config: { logLevel: 'info' }, overrides: { log, logger: log.logger } });
});
afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await Promise.all([ntfy.close(), mail.close(), broker.stop()]);
});

async function set(settings: Record<string, unknown>): Promise<void> {
  const { status, body } = await relay.asSystem('PATCH', '/rest/relay/settings', settings);
  expect([status, body.error]).toEqual([200, undefined]);
}

/** With headers that fetch does not allow. */
function getWith(path: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(new URL(path, relay.url), { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

const webhook = (url: string): Promise<Answer> =>
  relay.post('/rest/webhooks', { name: `To ${url}`, url, eventTypes: ['state.changed'] });

describe('a setting that is changed while the daemon runs', () => {
  it('decides at once to which names, pages and proxies it listens', async () => {
    const foreignHost = () => getWith('/health', { Host: 'home.example.org' });
    const foreignPage = () =>
      getWith('/rest/homes', { Origin: 'https://panel.example.org', Authorization: `Bearer ${relay.token}` });
    expect([await foreignHost(), await foreignPage()]).toEqual([403, 403]);
    await set({ allowed_host: ['home.example.org'], allowed_origin: ['https://panel.example.org'] });
    expect([await foreignHost(), await foreignPage()]).toEqual([200, 200]);
    await set({ allowed_host: null, allowed_origin: null, public_url: 'https://home.example.org' });
    expect([await foreignHost(), await foreignPage()]).toEqual([200, 403]);
    const { body } = await relay.asSystem('POST', '/rest/setup-code');
    expect(body.url).toMatch(/^https:\/\/home\.example\.org\//);

    await set({ trusted_proxy: ['127.0.0.0/8'] });
    const query =
      'mutation($c: String!) { signup(email: "a@example.org", password: "long enough", setupCode: $c) { token } }';
    const headers = { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.7' };
    const signup = JSON.stringify({ query, variables: { c: body.code } });
    await fetch(new URL('/graphql', relay.url), { method: 'POST', headers, body: signup });
    expect((await relay.asSystem('GET', '/rest/sessions')).body).toMatchObject([{ address: '192.0.2.7' }]);
  });

  it('decides at once where requests may go', async () => {
    const here = 'http://127.0.0.1:9/';
    expect((await webhook(here)).body.error).toMatch(/webhooks_allow_loopback/);
    await set({ webhooks_allow_loopback: true });
    expect((await webhook(here)).status).toBe(200);
    await set({ webhooks_allow_loopback: null, webhooks_public_only: true });
    expect((await webhook('http://192.168.1.50/')).body.error).toMatch(/webhooks_public_only/);
    await set({ webhooks_public_only: null });
  });

  it('sets up at once how people are reached, and takes it down again', async () => {
    const test = async () => (await relay.asSystem('POST', '/rest/notifications/test', {})).body.channels;
    expect(await test()).toEqual(['local']);
    await set({ ntfy_url: `http://127.0.0.1:${ntfy.port}/house-x7`, ntfy_token: 'tk_verysecret' });
    expect(await test()).toEqual(['local', 'push']);
    await set({
      ntfy_url: null,
      ntfy_token: null,
      smtp_url: `smtp://anna:right%3Ap%40ss@127.0.0.1:${mail.port}`,
      email_from: 'pi@example.org',
      email_to: ['anna@example.org'],
    });
    expect(await test()).toEqual(['local', 'email']);
    expect(mail.mails).toMatchObject([{ to: ['anna@example.org'] }]);
  });

  it('connects homes with a broker and takes them off it', async () => {
    const [{ id }] = (await relay.get('/rest/homes')).body;
    const brokers = async () => (await relay.asSystem('GET', `/rest/homes/${id}/mqtt`)).body.brokers;
    await set({ mqtt_url: `mqtt://ada:brokersecret@127.0.0.1:${broker.port}` });
    await eventually(async () => (await brokers())[0]?.status === 'connected', 'the broker to be connected');
    await set({ mqtt_url: null });
    expect(await brokers()).toEqual([]);
  });

  it('holds back automations that run too often, looks for accessories elsewhere, and lets itself be found', async () => {
    const [{ id: homeId }] = (await relay.get('/rest/homes')).body;
    const made = await relay.asSystem('POST', '/rest/flows', {
      homeId,
      name: 'Nothing',
      mode: 'parallel',
      actions: [],
    });
    expect([made.status, made.body.error]).toEqual([200, undefined]);
    const run = async () => (await relay.asSystem('POST', `/rest/flows/${made.body.id}/run`, {})).body.blockedReason;
    expect([await run(), await run()]).toEqual([undefined, undefined]);
    await set({ automation_runs_per_minute: 2 });
    expect(await run()).toBe('rate_limit');

    const seen = async () =>
      (await relay.get('/rest/discovered')).body.map((one: { deviceId: string }) => one.deviceId);
    await set({ manual_device: ['127.0.0.1:9'] });
    expect(await seen()).toContain('127.0.0.1:9');
    await set({ manual_device: null });
    expect(await seen()).not.toContain('127.0.0.1:9');

    const name = async () => (await relay.get('/rest/relay')).body.advertisedAs;
    expect(await name()).toBeNull();
    await set({ advertise: true });
    await eventually(name, 'the relay to be advertised');
    await set({ advertise: false });
    await eventually(async () => (await name()) === null, 'the relay to be advertised no more');
  });

  it('lets go at once of the history that is too much', async () => {
    const [{ id: homeId }] = (await relay.get('/rest/homes')).body;
    const history = openSqlite(relay.directory.file('history.db'));
    try {
      history.exec('INSERT INTO texts (text) VALUES (hex(zeroblob(6000000)))');
      history
        .prepare(
          "INSERT INTO series (id, home_id, accessory_id, characteristic, kind, sample_count) VALUES (900, ?, 'a', 'x', 'numeric', 5)",
        )
        .run(homeId);
      const insert = history.prepare('INSERT INTO samples VALUES (900, ?, 1)');
      for (let hours = 5; hours > 0; hours -= 1) insert.run(Date.now() - (hours + 1) * 3_600_000);
      const samples = () => history.prepare('SELECT COUNT(*) FROM samples WHERE series_id = 900').pluck().get();
      await set({ history_max_mb: 100 });
      expect(samples()).toBe(5);
      await set({ history_max_mb: 10 });
      await eventually(async () => samples() === 1, 'all samples but the newest to go');
    } finally {
      history.close();
    }
  });

  it('holds over a restart; its secrets are in no answer and in no line of the log', async () => {
    await set({ log_level: 'debug', ntfy_url: 'https://ntfy.sh/house-x7' });
    expect(log.level).toBe('debug');
    await relay.stop();
    log.level = 'info';
    await relay.start();
    expect(log.level).toBe('debug');
    const answers = [
      await relay.asSystem('GET', '/rest/relay/settings'),
      await relay.asSystem('GET', '/rest/relay/logs?limit=1000'),
      await relay.asSystem('GET', '/rest/relay'),
    ].map(({ body }) => JSON.stringify(body));
    expect(answers[0]).toContain('"name":"ntfy_url"');
    expect(answers[1]).toContain('Changed settings');
    for (const secret of ['tk_verysecret', 'brokersecret', 'right:p@ss', 'right%3Ap', 'house-x7']) {
      expect([...answers, ...logged].join('\n')).not.toContain(secret);
    }
  });
});
