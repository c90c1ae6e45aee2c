/**
 * One whole life of the built daemon, at its most talkative: a home is claimed, people sign in and invite each other,
 * make tokens, allow apps and hand out links, rightly and wrongly, and it is killed, restarted, copied and stopped.
 * Then everything that it wrote, printed and sent is searched for every secret that was used (security checklist, rows
 * 26, 27, 33, 42 and 53).
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as oauth from 'oauth4webapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackupFolder } from '../../src/storage/backups/backup-folder.ts';
import { openDatabase } from '../../src/storage/database.ts';
import { hiddenFields, type PageAnswer } from '../api/html/page-client.ts';
import { type DemoHome, startParts } from '../support/accessories/demo-home.ts';
import { testStorage } from '../support/accessories/hap-storage.ts';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { eventually } from '../support/e2e-relay.ts';
import { freePort } from '../support/free-port.ts';
import type { TestBroker } from '../support/mqtt-broker.ts';
import { filesIn, findings, keySpellings, type Secret, spellings } from '../support/secret-search.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';
import { Blabber, BROKER_USER, keepBrokers, keepWebhook, listen, seeMqtt, startBroker } from './life-listeners.ts';
import { KEPT, TYPED, URL_KEY } from './life-secrets.ts';
import { Browser, beRefused, Visitor } from './life-visitors.ts';

const INSECURE = { [oauth.allowInsecureRequests]: true } as const;
const REDIRECT = 'http://127.0.0.1:43118/callback';
const ANN = { email: 'ann@example.org', name: 'Ann' };
const BOB = { email: 'bob@example.org', name: 'Bob' };

/** Where those of `KEPT` may be. */
const KEEPERS = /^(relay\.db(-wal)?|backups\/relay-nightly-20260102T030405Z\.db)$/;
const BACKUP = 'backups/relay-nightly-20260102T030405Z.db';
const BACKED_UP_AT = Date.UTC(2026, 0, 2, 3, 4, 5);

let program: BuiltProgram;
let directory: TempDirectory;
let home: DemoHome;
let blabber: Blabber;
let brokers: readonly [configured: TestBroker, added: TestBroker];
let wsPort: number;
/** Everything that a person without a right to a secret received or could see: where → text. */
const seen = new Map<string, string>();
/** What the daemon made and showed once: what → text. */
const made = new Map<string, string>();
/** Those that it kept as `KEPT` are kept. */
const madeAndKept = new Map<string, string>();
let shareHash = '';
let pairingKey: Buffer;
let signingKeys: readonly Buffer[];

const see = (where: string, text: string): void => void seen.set(where, (seen.get(where) ?? '') + text);

function keep(what: string, text: string | undefined | null): string {
  if (!text) throw new Error(`There is no ${what}`);
  made.set(what, text);
  return text;
}

/** One command of the program, with a line on stdin. */
function command(daemon: BuiltDaemon, words: readonly string[], stdin = ''): Promise<{ out: string; code: number }> {
  const child = spawn(process.execPath, [program.path, ...words, '--data-dir', daemon.dataDir]);
  let [out, err] = ['', ''];
  child.stdout.on('data', (data: Buffer) => {
    out += data.toString();
  });
  child.stderr.on('data', (data: Buffer) => {
    err += data.toString();
  });
  see('command lines', child.spawnargs.join(' '));
  child.stdin.end(stdin === '' ? '' : `${stdin}\n`);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      see('stderr of commands', err);
      resolve({ out, code: code ?? -1 });
    });
  });
}

async function claim(daemon: BuiltDaemon): Promise<string> {
  const code = /setup code ([A-Z2-9-]{9})/.exec(daemon.out)?.[1];
  keep('the setup code of the start', code);
  const renewed = keep('a setup code', (await command(daemon, ['setup-code'])).out.trim());
  const browser = new Browser(daemon, see);
  const page = await browser.get('/setup');
  keep('a form’s cookie', browser.client.jar.get('hearthd_csrf'));
  const person = { ...ANN, password: TYPED['a password that is no longer'] };
  const wrong = await browser.submit(page, '/setup', { ...person, setupCode: TYPED['a wrong setup code'] });
  expect(wrong.status).toBe(422);
  expect((await browser.submit(page, '/setup', { ...person, setupCode: renewed })).status).toBe(303);
  const first = keep('a session that has ended', browser.client.jar.get('hearthd_session'));
  const changed = await browser.submit(await browser.get('/account'), '/account/password', {
    currentPassword: person.password,
    newPassword: TYPED['Ann’s password'],
  });
  expect(changed.status).toBe(303);
  await new Visitor(daemon, see, first).ask('GET', '/rest/me');
  keep('Ann’s session at the pages', browser.client.jar.get('hearthd_session'));
  const login = `mutation ($email: String!, $password: String!) { login(email: $email, password: $password) { token } }`;
  const variables = { email: ANN.email, password: TYPED['Ann’s password'] };
  const { data } = (await new Visitor(daemon, see).graphql(login, variables)).json();
  return keep('Ann’s session', data.login.token);
}

async function inviteBob(daemon: BuiltDaemon, ann: Visitor, homeId: string): Promise<void> {
  const invited = (
    await ann.ask('POST', `/rest/homes/${homeId}/members`, { email: BOB.email, role: 'control' })
  ).json();
  const code = keep('an invitation code', invited.invitation.code);
  see('lists', (await ann.ask('GET', `/rest/homes/${homeId}/members`)).text);
  const browser = new Browser(daemon, see);
  const link = `/invite/${code}`;
  const page = await browser.get(link);
  await browser.submit(page, link, { name: BOB.name, password: 'short' });
  expect((await browser.submit(page, link, { name: BOB.name, password: TYPED['Bob’s password'] })).status).toBe(303);
  keep('Bob’s session', browser.client.jar.get('hearthd_session'));
  const again = new Browser(daemon, see);
  const login = await again.get('/login');
  await again.submit(login, '/login', { email: BOB.email, password: TYPED['a wrong password'] });
}

async function makeTokens(daemon: BuiltDaemon, ann: Visitor): Promise<void> {
  const create = 'mutation { createAccessToken(name: "Dashboard") { error token } }';
  see('refusals', (await ann.graphql(create)).text);
  await ann.ask('PATCH', '/rest/settings', { developerMode: true });
  const token = keep('an access token', (await ann.graphql(create)).json().data.createAccessToken.token);
  expect((await new Visitor(daemon, see, token).ask('GET', '/rest/state')).status).toBe(200);
  keep('an access token of the shell', (await command(daemon, ['token', 'create', 'Shell'])).out.trim());
  see('lists', (await ann.ask('GET', '/rest/tokens')).text);
}

/** By oauth4webapi, as a confidential app does; by Ann, at the pages. */
async function letAppIn(daemon: BuiltDaemon, session: string): Promise<void> {
  const issuer = new URL(daemon.url);
  const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const metadata = {
    client_name: 'Assistant',
    redirect_uris: [REDIRECT],
    token_endpoint_auth_method: 'client_secret_post',
  };
  const registered = await oauth.dynamicClientRegistrationRequest(server, metadata, INSECURE);
  const app = await oauth.processDynamicClientRegistrationResponse(registered);
  const prove = oauth.ClientSecretPost(keep('a client secret', String(app.client_secret)));

  const verifier = keep('a verifier', oauth.generateRandomCodeVerifier());
  const state = oauth.generateRandomState();
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.client_id,
    redirect_uri: REDIRECT,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'mcp:read mcp:write',
    state,
  });
  const browser = new Browser(daemon, see);
  const follow = async (answer: PageAnswer): Promise<PageAnswer> => {
    const next = answer.location === null ? undefined : new URL(answer.location, daemon.url);
    return next?.origin === daemon.url ? follow(await browser.get(next.pathname + next.search)) : answer;
  };
  const login = await follow(await browser.get(`/oauth/authorize?${query}`));
  await browser.submit(login, '/login', { email: ANN.email, password: TYPED['Ann’s password'] });
  keep('Ann’s second session', browser.client.jar.get('hearthd_session'));
  expect(keep('Ann’s second session', browser.client.jar.get('hearthd_session'))).not.toBe(session);
  const consent = await follow(await browser.get(hiddenFields(login.text, '/login').return_to ?? ''));
  const action = /action="(\/oauth\/interaction\/[^"]+)"/.exec(consent.text)?.[1] ?? '';
  const choice = { approve: 'yes', scope: 'write', all_homes: 'on' };
  await browser.submit(consent, action, { ...choice, password: TYPED['a wrong password'] });
  const allowed = await follow(await browser.submit(consent, action, { ...choice, password: TYPED['Ann’s password'] }));

  const callback = oauth.validateAuthResponse(server, app, new URL(allowed.location ?? ''), state);
  keep('a code', callback.get('code'));
  const exchange = async () =>
    oauth.authorizationCodeGrantRequest(server, app, prove, callback, REDIRECT, verifier, INSECURE);
  const first = await oauth.processAuthorizationCodeResponse(server, app, await exchange());
  const refreshed = await oauth.refreshTokenGrantRequest(
    server,
    app,
    prove,
    keep('a refresh token', first.refresh_token),
    INSECURE,
  );
  const second = await oauth.processRefreshTokenResponse(server, app, refreshed);
  keep('an app’s first token', first.access_token);
  keep('an app’s token', second.access_token);
  keep('a second refresh token', second.refresh_token);

  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_state', arguments: {} } };
  expect((await new Visitor(daemon, see, second.access_token).ask('POST', '/mcp', call)).text).toContain('_homes');
  const wrong = oauth.ClientSecretPost(TYPED['a wrong client secret']);
  see(
    'refusals',
    await (await oauth.refreshTokenGrantRequest(server, app, wrong, second.refresh_token ?? '', INSECURE)).text(),
  );
  see('refusals', await (await exchange()).text());
  see('refusals', await (await exchange()).text());
  see('lists', (await command(daemon, ['app', 'list', '--json'])).out);
}

async function shareLamp(daemon: BuiltDaemon, ann: Visitor): Promise<void> {
  const homeId = (await ann.ask('GET', '/rest/homes')).json()[0].id;
  const create = `mutation ($id: String!, $e: String!, $p: String!) { createEntityAccess(homeId: $id, entityType: "home", entityId: $e, accessType: "passcode", role: "view", passcode: $p) { error shareHash } }`;
  const { data } = (await ann.graphql(create, { id: homeId, e: homeId, p: TYPED['a passcode'] })).json();
  shareHash = data.createEntityAccess.shareHash;
  const line = ['share', 'create', 'home', homeId, '--role', 'view', '--passcode-stdin', '--name', 'Shell'];
  expect((await command(daemon, line, TYPED['a passcode from the command line'])).code).toBe(0);
  const stranger = new Visitor(daemon, see);
  const link = (passcode: string) => `/s/${shareHash}?passcode=${encodeURIComponent(passcode)}`;
  expect((await stranger.ask('GET', link(TYPED['a passcode']))).status).toBe(200);
  expect((await stranger.ask('GET', link(TYPED['a wrong passcode']))).status).toBe(403);
  await stranger.ask('POST', `/s/${shareHash}/nonsense?passcode=${encodeURIComponent(TYPED['a passcode'])}`);
  await stranger.ask('GET', `/s/${shareHash}/brightness/x?passcode=${encodeURIComponent(TYPED['a passcode'])}`);
  const open = 'query ($h: String!, $p: String) { publicEntity(shareHash: $h, passcode: $p) { entityName role } }';
  for (const what of ['a passcode', 'a wrong passcode'] as const) {
    see('refusals', (await stranger.graphql(open, { h: shareHash, p: TYPED[what] })).text);
  }
  const browser = new Browser(daemon, see);
  const page = await browser.get(`/s/${shareHash}`);
  const action = `/s/${shareHash}/passcode`;
  await browser.submit(page, action, { passcode: TYPED['a wrong passcode'] });
  expect((await browser.submit(page, action, { passcode: TYPED['a passcode from the command line'] })).status).toBe(
    303,
  );
  await browser.get(`/s/${shareHash}`);
  for (const [name, value] of browser.client.jar)
    if (name !== 'hearthd_session') keep(`the cookie ${name} of a share`, value);
}

async function addReceivers(daemon: BuiltDaemon, ann: Visitor, homeId: string): Promise<void> {
  const refused = { name: 'W', url: `https://ann:${encodeURIComponent(TYPED['a password in a URL'])}@example.com/` };
  expect((await ann.ask('POST', '/rest/webhooks', refused)).status).toBe(422);
  const [old, secret] = await keepWebhook(ann, blabber, URL_KEY, see);
  madeAndKept.set('a webhook’s secret', secret ?? '').set('the secret that it had before', old ?? '');
  const [, { port }] = brokers;
  const passwords = { password: KEPT['a broker’s password'], wrong: KEPT['a password that a broker refuses'] };
  await keepBrokers(ann, homeId, { port, ...passwords }, see);
  const right = keep('Ann’s session', made.get('Ann’s session'));
  await listen(daemon, wsPort, { right, wrong: TYPED['a wrong token'] }, see);
  await seeMqtt(brokers, see);
}

async function pair(daemon: BuiltDaemon): Promise<void> {
  const [accessory] = home.accessories;
  if (!accessory) throw new Error('The home is empty');
  const { deviceId } = accessory;
  await eventually(async () => {
    const { body } = await daemon.asSystem('GET', '/rest/discovered');
    return body.some((device: { deviceId: string }) => device.deviceId === deviceId);
  }, 'an accessory to be discovered');
  const setupCode = keep('a device’s setup code', accessory.setupCode);
  const answer = await daemon.asSystem('POST', '/rest/pairings', { device: deviceId, setupCode });
  expect(answer.status).toBe(200);
  see('lists', JSON.stringify(answer));
}

async function inspect(daemon: BuiltDaemon, ann: Visitor): Promise<void> {
  const lists = [
    'user list',
    'session list',
    'webhook list',
    'webhook show Log',
    'webhook deliveries Log',
    'mqtt list',
  ];
  for (const line of ['doctor', 'mqtt status', 'metrics', 'doctor --json', ...lists.map((list) => `${list} --json`)]) {
    const { code, out } = await command(daemon, line.split(' '));
    expect([line, out === '', line.startsWith('doctor') || code === 0]).toEqual([line, false, true]);
    see(line, out);
  }
  for (const path of [
    '/rest/me',
    '/rest/settings',
    '/rest/sessions',
    '/rest/shares',
    '/rest/authorized-apps',
    '/rest/invitations',
    '/rest/webhooks',
    '/metrics',
  ])
    see('lists', (await ann.ask('GET', path)).text);
  for (const path of ['/health', '/ready', '/openapi.json'])
    see(path, (await new Visitor(daemon, see).ask('GET', path)).text);
  for (const file of ['cmdline', 'environ'])
    see(`/proc/<pid>/${file}`, readFileSync(`/proc/${daemon.pid}/${file}`, 'latin1'));
}

/** The log line with the claim code is for the operator: the one place where that code may stand. */
function withoutOffer(log: string): string {
  return log.replace(/enter the setup code [A-Z2-9-]{9}/g, 'enter the setup code');
}

async function copyDatabase(path: string): Promise<void> {
  const database = openDatabase(path);
  new BackupFolder(path).snapshot(database, 'nightly', BACKED_UP_AT);
  pairingKey = database.prepare('SELECT controller_secret_key FROM pairings').pluck().get() as Buffer;
  const keys = database.prepare('SELECT value FROM signing_keys').pluck().all() as string[];
  signingKeys = keys.map((value) => Buffer.from(value, 'base64url'));
  database.close();
}

async function life(): Promise<void> {
  const config = directory.file('hearthd.toml');
  const password = encodeURIComponent(TYPED['the password in mqtt_url']);
  writeFileSync(config, `mqtt_url = "mqtt://${BROKER_USER}:${password}@127.0.0.1:${brokers[0].port}"\n`, {
    mode: 0o600,
  });
  const receiverFlags = ['--ws-port', String(wsPort), '--webhooks-allow-loopback', 'true', '--config', config];
  const settings = { program, directory, flags: ['--log-level', 'debug', ...receiverFlags] };
  await using first = await BuiltDaemon.start(settings);
  await beRefused(first, see);
  const session = await claim(first);
  const ann = new Visitor(first, see, session);
  const homeId = (await ann.ask('GET', '/rest/homes')).json()[0].id;
  await inviteBob(first, ann, homeId);
  await makeTokens(first, ann);
  await letAppIn(first, session);
  await shareLamp(first, ann);
  await pair(first);
  await addReceivers(first, ann, homeId);
  const add = ['user', 'add', 'carl@example.org', '--name', 'Carl', '--password-stdin'];
  expect((await command(first, add, TYPED['a password from the command line'])).code).toBe(0);
  await first.end('SIGKILL');
  see('log', withoutOffer(first.out) + first.err);
  for (const name of filesIn(first.dataDir)) {
    const where = KEEPERS.test(name) ? 'keepers after a kill' : 'files after a kill';
    see(where, contentOf(first.dataDir, name));
  }

  await using second = await BuiltDaemon.start(settings);
  await beRefused(second, see);
  await inspect(second, new Visitor(second, see, session));
  await seeMqtt(brokers, see);
  await second.end();
  see('log', withoutOffer(second.out) + second.err);
  await copyDatabase(join(second.dataDir, 'relay.db'));
}

const contentOf = (folder: string, name: string): string =>
  existsSync(join(folder, name)) && !name.endsWith('.sock') ? readFileSync(join(folder, name), 'latin1') : '';

describe('after a whole life', () => {
  beforeAll(async () => {
    program = buildProgram();
    directory = createTempDirectory('life');
    home = await startParts({
      directory: directory.file('house'),
      storage: testStorage(),
      prefix: 'Life ',
      behave: false,
    });
    blabber = await Blabber.start(see);
    const passwords = [TYPED['the password in mqtt_url'], KEPT['a broker’s password']] as const;
    brokers = [await startBroker(passwords[0]), await startBroker(passwords[1])];
    wsPort = await freePort();
    await life();
  });

  afterAll(async () => {
    await home?.stop();
    blabber?.stop();
    await Promise.all(brokers?.map((broker) => broker.stop()) ?? []);
    program?.[Symbol.dispose]();
    directory?.remove();
  });

  /** A token is found without its prefix, and a JWT by its signature alone. */
  const parts = (text: string): readonly string[] =>
    [text, text.replace(/^(hc|whsec)_/, ''), text.split('.').at(2) ?? text].filter((part) => part.length > 6);
  const secretsOf = (all: readonly (readonly [string, string])[]): readonly Secret[] =>
    all.flatMap(([what, text]) => parts(text).flatMap((part) => spellings(what, part)));
  const secrets = (): readonly Secret[] => secretsOf([...Object.entries(TYPED), ...made]);
  const kept = (): readonly Secret[] => secretsOf([...Object.entries(KEPT), ...madeAndKept]);
  const isNotified = (where: string): boolean => !where.endsWith('after a kill');

  it('every secret was used, and the search finds each, however it is spelt', () => {
    expect([...made.keys()].length).toBeGreaterThan(18);
    for (const [what, text] of [...Object.entries(TYPED), ...made]) {
      const own = spellings(what, text);
      for (const spelt of [
        text,
        JSON.stringify({ text }),
        encodeURIComponent(text),
        Buffer.from(`${ANN.email}:${text}`).toString('base64'),
      ]) {
        expect(findings('here', `… ${spelt} …`, own), `${what} in ${spelt}`).not.toEqual([]);
      }
      expect(findings('here', Buffer.from(`x${text}y`).toString('hex'), own)).not.toEqual([]);
    }
    const reported = ['deliveries', 'MQTT', 'streams', 'mqtt status', 'metrics', 'webhook deliveries Log --json'];
    for (const where of ['log', 'pages', 'refusals', 'lists', 'doctor', '/health', ...reported])
      expect(seen.get(where), where).toBeTruthy();
    expect(seen.get('log')).toContain('hearthd is running');
  });

  it('no log, page, refusal, list, diagnosis or process listing holds one', () => {
    const reported = [...seen].filter(([where]) => isNotified(where));
    const all = [...secrets(), ...kept()];
    expect(reported.flatMap(([where, text]) => findings(where, text, all))).toEqual([]);
  });

  it('no file of the data directory holds one: running, killed, copied or stopped', () => {
    const killed = (what: string): Buffer => Buffer.from(seen.get(`${what} after a kill`) ?? '', 'latin1');
    expect(findings('killed', killed('keepers'), secrets())).toEqual([]);
    expect(findings('killed', killed('files'), [...secrets(), ...kept()])).toEqual([]);
    const dataDir = directory.file('data');
    const files = filesIn(dataDir);
    expect(files).toEqual(expect.arrayContaining(['relay.db', 'history.db', 'pairings.json', BACKUP]));
    const held = (name: string, all: readonly Secret[]) => findings(name, readFileSync(join(dataDir, name)), all);
    expect(files.flatMap((name) => held(name, secrets()))).toEqual([]);
    expect(files.filter((name) => !KEEPERS.test(name)).flatMap((name) => held(name, kept()))).toEqual([]);
    expect(new Set(held('relay.db', kept())).size).toBe(4);
  });

  it('the log shows no share, no address of a webhook, no passcode and no header', () => {
    const log = seen.get('log') ?? '';
    const addresses = [...spellings('a share', shareHash), ...spellings('the key in a URL', URL_KEY)];
    expect(findings('log', log, addresses)).toEqual([]);
    expect(findings('metrics', seen.get('metrics') ?? '', addresses)).toEqual([]);
    expect(log).not.toMatch(/passcode=|bearer|authorization:|cookie/i);
  });

  it('keys are where they must be and nowhere else', () => {
    const dataDir = directory.file('data');
    const holding = (key: Buffer) =>
      filesIn(dataDir).filter(
        (name) => findings(name, readFileSync(join(dataDir, name)), keySpellings('key', key)).length > 0,
      );
    expect(holding(pairingKey)).toEqual([BACKUP, 'pairings.json', 'relay.db']);
    expect(signingKeys.length).toBeGreaterThan(0);
    for (const key of signingKeys) expect(holding(key)).toEqual([BACKUP, 'relay.db']);
    const reported = [...seen].filter(([where]) => isNotified(where));
    const keys = [pairingKey, ...signingKeys].flatMap((key) => keySpellings('a key', key));
    expect(reported.flatMap(([where, text]) => findings(where, text, keys))).toEqual([]);
  });
});
