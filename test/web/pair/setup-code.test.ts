import commonTexts from 'texts:common';
import pairTexts from 'texts:pair';
import { describe, expect, it } from 'vitest';
import { PAIRING_REASONS, REFUSAL_REASONS } from '../../../src/kernel/reasons.ts';
import { ApiError } from '../../../src/web/dashboard/api/api-error.ts';
import { offersOf, withDeclined } from '../../../src/web/dashboard/pages/home/offers.ts';
import {
  type Discovered,
  groupDiscovered,
  isHostPort,
  pairAddress,
} from '../../../src/web/dashboard/pages/pair/discovered.ts';
import { LineReader, type PairingStep } from '../../../src/web/dashboard/pages/pair/pairing-answer.ts';
import { pairingFailure } from '../../../src/web/dashboard/pages/pair/pairing-failure.ts';
import { roomInName } from '../../../src/web/dashboard/pages/pair/settle.ts';
import { judgeScanned, judgeSetupCode, shapeSetupCode } from '../../../src/web/dashboard/pages/pair/setup-code.ts';

describe('a setup code', () => {
  it.each([
    ['0', '0'],
    ['0314', '031-4'],
    ['03145154', '031-45-154'],
    ['031 45 154', '031-45-154'],
    ['031–45–154', '031-45-154'],
    ['０３１４５１５４', '031-45-154'],
    ['031451549', '031-45-154'],
    ['031-', '031'],
    [' X-HM://0081YCYEP3QYT ', 'X-HM://0081YCYEP3QYT'],
    ['', ''],
  ])('falls into its form while it is typed: %s', (typed, shown) => {
    expect(shapeSetupCode(typed)).toBe(shown);
  });

  it.each([
    ['', 'missing'],
    ['031-45-15', 'missing'],
    ['031-45-154', 'good'],
    ['X-HM://0081YCYEP3QYT', 'good'],
    ['MT:Y.K9042C00KA0648G00', 'matter'],
    ['https://example.org', 'letters'],
    ['123-45-678', 'trivial'],
    ['000-00-000', 'trivial'],
  ])('%s is judged %s', (text, state) => {
    expect(judgeSetupCode(text)).toBe(state);
  });
});

describe('what is seen in a picture', () => {
  const payload = 'X-HM://0081YCYEP3QYT';
  it.each([
    [['https://example.org', 'MT:Y.K9042C00KA0648G00', ` ${payload}\n`], { payload }],
    [['https://example.org', 'MT:Y.K9042C00KA0648G00'], 'matter'],
    [['03145154'], 'other'],
    [[], 'nothing'],
  ])('%j is judged %j', (texts, judgement) => {
    expect(judgeScanned(texts)).toEqual(judgement);
  });
});

describe('why a pairing failed', () => {
  it('has words for every reason that the relay gives', () => {
    expect(Object.keys(pairTexts.in('en').failures).sort()).toEqual([...PAIRING_REASONS].sort());
    expect(Object.keys(commonTexts.in('en').reasons).sort()).toEqual([...REFUSAL_REASONS].sort());
  });

  it('is explained by the reason, and otherwise by the page that knows the code', () => {
    const { failures } = pairTexts.in('de');
    const refusal = new ApiError('pairing_failed', 'The setup code is wrong.', { reason: 'wrong_code' });
    expect(pairingFailure(refusal, failures)).toBe(failures.wrong_code);
    expect(pairingFailure(new ApiError('pairing_failed', 'Of a later relay.', { reason: 'new' }), failures)).toBe(
      undefined,
    );
    expect(pairingFailure(new ApiError('offline', 'The relay does not answer.'), failures)).toBe(undefined);
    expect(pairingFailure(new Error('The setup code is wrong.'), failures)).toBe(undefined);
  });
});

describe('the answer to a pairing', () => {
  it('reports each step, in pieces of any size, and what was paired', () => {
    const steps: PairingStep[] = [];
    const reader = new LineReader((step) => steps.push(step));
    for (const piece of ['{"step":"conn', 'ecting"}\n{"step":"exchanging"}\n{"step":"later version"}\n', '\n'])
      reader.feed(piece);
    expect(() => reader.result()).toThrow('broke off');
    reader.feed(
      '{"pairing":{"deviceId":"AA","name":"Lamp","accessories":[{"id":"1","name":"Lamp","reachable":true}]}}\n',
    );
    expect(steps).toEqual(['connecting', 'exchanging']);
    expect(reader.result()).toEqual({ deviceId: 'AA', name: 'Lamp', accessories: [{ id: '1', name: 'Lamp' }] });
  });

  it('throws what the relay refuses on the way', () => {
    const reader = new LineReader(() => {});
    expect(() =>
      reader.feed('{"error":"The setup code is wrong.","code":"pairing_failed","reason":"wrong_code"}\n'),
    ).toThrow(
      expect.objectContaining({ code: 'pairing_failed', reason: 'wrong_code', message: 'The setup code is wrong.' }),
    );
  });
});

it('sorts what is in the network by what can be done with it', () => {
  const device = { name: '', model: '', category: '', addresses: [], port: 1, via: 'mdns' };
  const groups = groupDiscovered([
    { ...device, deviceId: 'free', pairable: true, pairedHere: false },
    { ...device, deviceId: 'taken', pairable: false, pairedHere: false },
    { ...device, deviceId: 'ours', pairable: false, pairedHere: true },
  ]);
  expect(Object.entries(groups).map(([state, [only]]) => [state, only?.deviceId])).toEqual([
    ['new', 'free'],
    ['elsewhere', 'taken'],
    ['here', 'ours'],
  ]);
});

it.each([
  ['192.168.1.20:51827', true],
  ['lamp.local:80', true],
  ['[fe80::1%eth0]:80', true],
  ['192.168.1.20', false],
  ['lamp:0', false],
  ['lamp:65536', false],
  ['http://lamp:80', false],
  ['::1:80', false],
])('%s as an address with a port: %s', (text, is) => {
  expect(isHostPort(text)).toBe(is);
});

describe('an accessory that the home page offers', () => {
  const found = (deviceId: string, more: Partial<Discovered> = {}): Discovered => ({
    deviceId,
    name: deviceId,
    model: 'Lamp 2',
    category: 'Lightbulb',
    pairable: true,
    pairedHere: false,
    addresses: ['127.0.0.1'],
    port: 5000,
    via: 'mdns',
    ...more,
  });

  it('is new, and was not declined on this device', () => {
    const all = [found('a'), found('b'), found('c', { pairedHere: true }), found('d', { pairable: false })];
    expect(offersOf(all, ['a']).map(({ deviceId }) => deviceId)).toEqual(['b']);
  });

  it('is offered again once 200 others were declined after it', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `device ${index}`);
    expect(withDeclined(['a', 'b'], ['b', ...ids.slice(1)])).toEqual(['b', ...ids.slice(1)]);
  });

  it('is added at an address of its own', () => {
    expect(pairAddress('AA:BB:CC:DD:EE:FF')).toBe('/pair?device=AA%3ABB%3ACC%3ADD%3AEE%3AFF');
    expect(pairAddress()).toBe('/pair');
  });
});

describe('the room of a new accessory', () => {
  const rooms = ['Default Room', 'Living Room', 'Room', 'Küche'].map((name, index) => ({
    name,
    isDefault: index === 0,
  }));

  it.each([
    ['Living Room Lamp', 'Living Room'],
    ['lamp (living-room)', 'Living Room'],
    ['KÜCHE 2', 'Küche'],
    ['Küchenlicht', undefined],
    ['Default Room Lamp', 'Room'],
    ['Desk Lamp', undefined],
  ])('of “%s” is preselected as %s', (name, room) => {
    expect(roomInName(name, rooms)?.name).toBe(room);
  });
});
