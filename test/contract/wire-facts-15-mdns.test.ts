/**
 * Wire facts, section 15 (mDNS), and decisions, section 1: a whole relay on the loopback interface, looked for by
 * bonjour-service.
 */
import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { Bonjour, type Service } from 'bonjour-service';
import { decode, encode, type Packet } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAdvertised } from '../../src/cli/doctor/advertisement.ts';
import { VERSION } from '../../src/kernel/version.ts';
import { E2eRelay, eventually } from '../support/e2e-relay.ts';

const NAME = hostname().replace(/\.local$/, '');
/** Other tests may advertise on the same interface at the same time: we cannot predict which name remains for us. */
const A_NAME = new RegExp(`^${NAME.replaceAll('.', '\\.')}( \\(\\d+\\))?$`);

const bonjour = new Bonjour({ interface: '127.0.0.1', bind: '0.0.0.0' } as never);
const seen: Service[] = [];
const lost: Service[] = [];
let relay: E2eRelay;
let id: string;

const found = (type: string): Service | undefined =>
  seen.findLast((service) => service.type === type && service.txt.id === id);

async function instanceIdOf(of: E2eRelay): Promise<string> {
  return (await of.get('/health')).body.instanceId;
}

beforeAll(async () => {
  for (const type of ['hearthd', 'homecast']) {
    bonjour
      .find({ type })
      .on('up', (service) => seen.push(service))
      .on('down', (service) => lost.push(service));
  }
  relay = await E2eRelay.start({ config: { advertise: true } });
  id = await instanceIdOf(relay);
  await eventually(() => found('hearthd') !== undefined && found('homecast') !== undefined, 'both to be found');
});

afterAll(async () => {
  await relay[Symbol.asyncDispose]();
  await new Promise<void>((resolve) => bonjour.destroy(() => resolve()));
});

describe('Wire facts §15: mDNS', () => {
  it.each(['homecast', 'hearthd'])(
    'advertised as _%s._tcp, the instance being the host name without .local',
    (type) => {
      expect(found(type)).toMatchObject({ type, protocol: 'tcp' });
      expect(found(type)?.name).toMatch(A_NAME);
    },
  );

  it('the SRV port is the HTTP port', () => {
    expect(found('homecast')?.port).toBe(Number(new URL(relay.url).port));
    expect(found('hearthd')?.port).toBe(Number(new URL(relay.url).port));
  });

  it('TXT: v, id (eight hex digits), md, vs, au, ws; dn only where the name is another one', () => {
    const { txt } = found('homecast') as Service;
    expect(txt).toEqual({ v: '1', id, md: 'community', vs: VERSION, au: '1', ws: expect.stringMatching(/^\d+$/) });
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(found('hearthd')?.txt).toEqual(txt);
  });

  it('the ws key is the port of the WebSocket listener', async () => {
    const { port } = new URL(relay.url);
    expect([port, '0']).not.toContain(found('homecast')?.txt.ws);
  });

  it('clients that want IPv4 get an address of the interface that they ask on, and no other', () => {
    expect(found('homecast')?.addresses).toContain('127.0.0.1');
    for (const address of found('homecast')?.addresses ?? []) expect(['127.0.0.1', '::1']).toContain(address);
  });

  it('the host that it names is ours alone, and requests by that name are accepted', async () => {
    const { host = '', port = 0 } = found('homecast') ?? {};
    expect(host).toMatch(/-hearthd(-\d+)?\.local$/);
    const asking = request({ host: '127.0.0.1', port, path: '/health', headers: { Host: `${host}:${port}` } }).end();
    const [{ statusCode }] = (await once(asking, 'response')) as [{ statusCode: number }];
    expect(statusCode).toBe(200);
  });

  it('plain DNS tools are answered too: a question from any port, by unicast', async () => {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    socket.setMulticastInterface('127.0.0.1');
    const question = { type: 'PTR', name: '_hearthd._tcp.local' } as const;
    socket.send(encode({ type: 'query', id: 4_711, questions: [question] }), 5353, '224.0.0.251');
    const answer = await answerFrom(socket, String(found('hearthd')?.fqdn));
    expect(answer).toMatchObject({ id: 4_711, questions: [question] });
    socket.close();
  });

  it('doctor looks for it in the same way, and reports it if no relay answers', async () => {
    const check = async (instanceId: string) =>
      checkAdvertised({ get: async () => ({ instanceId }) } as never, [
        { name: 'lo', address: '127.0.0.1', internal: true },
      ]);
    expect(await check(id)).toEqual([
      { check: 'advertising', status: 'ok', message: `found on lo as ${found('hearthd')?.name}` },
    ]);
    expect(await check('ffffffff')).toMatchObject([
      { status: 'warn', message: expect.stringContaining('cannot discover') },
    ]);
  });

  it('a second relay of this machine takes another name, and the first keeps its own', async () => {
    const before = found('hearthd')?.name;
    await using second = await E2eRelay.start({ config: { advertise: true } });
    const other = await instanceIdOf(second);
    const isThere = (): Service | undefined => seen.findLast(({ type, txt }) => type === 'hearthd' && txt.id === other);
    await eventually(() => isThere() !== undefined, 'the second to be found');
    expect(isThere()?.name).toMatch(A_NAME);
    expect(isThere()?.name).not.toBe(before);
    expect(found('hearthd')?.name).toBe(before);
  });

  it('stopped, it withdraws its records; started again, it is the same one', async () => {
    await relay.stop();
    const isGone = (type: string): boolean => lost.some((service) => service.type === type && service.txt.id === id);
    await eventually(() => isGone('hearthd') && isGone('homecast'), 'both to be gone');
    seen.length = 0;
    await relay.start();
    await eventually(() => found('homecast')?.port === Number(new URL(relay.url).port), 'it to be back');
  });
});

/** The first message that announces this instance. */
async function answerFrom(socket: Socket, instance: string): Promise<Packet> {
  for (;;) {
    const [bytes] = (await once(socket, 'message', { signal: AbortSignal.timeout(10_000) })) as [Buffer];
    const packet = decode(bytes) as Packet;
    if (packet.answers?.some((record) => 'data' in record && record.data === instance)) return packet;
  }
}
