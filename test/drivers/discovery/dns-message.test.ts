import { type Answer, decode, encode, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnswerBook } from '../../../src/drivers/discovery/answers.ts';
import { readQuery, readResponse } from '../../../src/drivers/discovery/dns-message.ts';
import { instanceName, labelsOf, nameKey, nameOf } from '../../../src/drivers/discovery/dns-name.ts';
import { questionBytes, writeQuery } from '../../../src/drivers/discovery/dns-writer.ts';
import { announcement, device, response } from './packets.ts';

describe('Reading responses', () => {
  it('reads what another implementation wrote, in answers and additionals', () => {
    const records = readResponse(announcement(device({ ipv6: ['2001:db8::7'] })));
    expect(records?.map(({ type, name, ttlSeconds, flush }) => [type, name, ttlSeconds, flush])).toEqual([
      ['PTR', '_hap._tcp.local', 4500, false],
      ['SRV', 'Lamp._hap._tcp.local', 120, true],
      ['TXT', 'Lamp._hap._tcp.local', 4500, true],
      ['A', 'lamp.local', 120, true],
      ['AAAA', 'lamp.local', 120, true],
    ]);
    expect(records?.[1]).toMatchObject({ port: 51826, target: 'lamp.local' });
    expect(records?.[4]).toMatchObject({ address: '2001:db8::7' });
  });

  it('follows compression pointers', () => {
    const packet = Buffer.from(
      '000084000000000200000000' + // one response, two answers
        '045f686170045f746370056c6f63616c00' + // _hap._tcp.local at 12
        '000c00010000007800' +
        '07' +
        '044c616d70c00c' + // Lamp + pointer to 12; stands at 39
        'c027' + // pointer to Lamp._hap._tcp.local
        '00218001000000780008' +
        '00000000ca72c016', // target: local
      'hex',
    );
    expect(readResponse(packet)).toMatchObject([
      { type: 'PTR', target: 'Lamp._hap._tcp.local' },
      { type: 'SRV', name: 'Lamp._hap._tcp.local', port: 51826 },
    ]);
  });

  it('writes IPv6 addresses in their canonical form', () => {
    const group = fc.constantFrom(0, 0, 0, 1, 0x10, 0xabcd);
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const data = groups.map((value) => value.toString(16)).join(':');
        const [record] = readResponse(response([{ type: 'AAAA', name: 'a.local', ttl: 1, data }])) ?? [];
        const canonical = new URL(`http://[${data}]/`).hostname.slice(1, -1);
        expect(record).toMatchObject({ address: canonical });
      }),
    );
  });

  it('a query, a packet too short and one with an error code are no responses', () => {
    const query = encode({ type: 'query', questions: [{ type: 'PTR', name: '_hap._tcp.local' }] });
    expect([query, Buffer.alloc(0), Buffer.alloc(11)].map((packet) => readResponse(packet))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const failed = announcement(device());
    failed.writeUInt16BE(0x8403, 2);
    expect(readResponse(failed)).toBeUndefined();
  });

  it('a pointer that points to itself, forward or in a circle ends the reading', () => {
    for (const pointer of ['c00c', 'c020', 'c00e']) {
      const packet = Buffer.from(`000084000000000100000000${pointer}000c00010000007800020000`, 'hex');
      expect(readResponse(packet)).toEqual([]);
    }
  });

  it('a record with malformed contents is left out, and the rest of the packet stands', () => {
    const packet = response([
      { type: 'NULL', name: 'x.local', ttl: 1, data: Buffer.from('abc') },
      { type: 'A', name: 'lamp.local', ttl: 1, data: '192.0.2.7' },
    ]);
    const type = packet.indexOf(Buffer.from([0, 10, 0, 1]));
    packet.writeUInt16BE(1, type); // The NULL record of three bytes now claims to be an A record.
    expect(readResponse(packet)).toMatchObject([{ type: 'A', address: '192.0.2.7' }]);
  });

  it('a packet cut off anywhere yields the whole records before the cut', () => {
    const packet = announcement(device());
    const counts = Array.from(
      { length: packet.length },
      (_, end) => readResponse(packet.subarray(0, end))?.length ?? 0,
    );
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
    expect(counts.at(-1)).toBe(3);
  });

  it('sixty thousand declared records cost no more than the bytes there are', () => {
    const packet = Buffer.alloc(9_000);
    packet.writeUInt16BE(0x8400, 2);
    packet.fill(0xff, 4, 12);
    const before = performance.now();
    readResponse(packet);
    expect(performance.now() - before).toBeLessThan(500);
  });
});

/** 9,000 bytes (RFC 6762 §17) made to cost work. */
describe('A packet that is all pointers', () => {
  const TYPE_PTR = [0, 12];
  const CLASS_IN = [0, 1];
  const POINTER = [0xc0, 12];
  const filled = (name: readonly number[], questions: number): Buffer => {
    const bytes = [0, 0, 0, 0, 0, questions, 0, 0, 0, 0, 0, 0];
    for (let n = 0; n < questions; n++) bytes.push(...(n === 0 ? name : POINTER), ...TYPE_PTR, ...CLASS_IN);
    let records = 0;
    for (; bytes.length < 8_980; records++) {
      bytes.push(...POINTER, ...TYPE_PTR, ...CLASS_IN, 0, 0, 0x20, 0, 0, 2, ...POINTER);
    }
    const packet = Buffer.from(bytes);
    packet.writeUInt16BE(records, 6);
    return packet;
  };
  /** How much longer this takes than reading as many bytes of plain names: the same machine, at the same time. */
  const effort = (act: () => void): number => {
    const label = [4, 0x61, 0x62, 0x63, 0x64];
    const plain = Buffer.concat(
      Array.from({ length: 500 }, () => Buffer.from([...label, 0, ...TYPE_PTR, ...CLASS_IN, 0, 0, 0, 9, 0, 1, 0])),
    );
    const head = Buffer.from([0, 0, 0, 0, 0, 0, 1, 244, 0, 0, 0, 0]);
    const spent = { act: 0, plain: 0 };
    for (let round = 0; round < 20; round++) {
      const start = performance.now();
      act();
      const between = performance.now();
      readQuery(Buffer.concat([head, plain]));
      spent.act += between - start;
      spent.plain += performance.now() - between;
    }
    return spent.act / spent.plain;
  };

  it('into one long name costs no more to read than others', () => {
    const packet = filled([...Array.from({ length: 126 }, () => [1, 0xff]).flat(), 0], 1);
    expect(readQuery(packet)?.known.at(-1)?.name).toBe(Array.from({ length: 126 }, () => '\\255').join('.'));
    expect(effort(() => readQuery(packet))).toBeLessThan(10);
  });

  it('asking one thing two hundred times, knowing it five hundred times, costs no more to answer than to read', () => {
    const name = '_hearthd._tcp.local';
    const wire = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
    const query = readQuery(filled([...wire, 0], 200));
    const book = new AnswerBook([{ type: 'PTR', name, ttlSeconds: 4_500, flush: false, target: `nas.${name}` }]);
    if (!query) throw new Error('It is a query');
    expect(query.known.length).toBeGreaterThan(500);
    expect(book.answersTo(query)).toHaveLength(200);
    expect(effort(() => book.answersTo(query))).toBeLessThan(10);
  });
});

describe('Writing queries', () => {
  it('another implementation reads the same questions and known answers', () => {
    const packet = writeQuery(
      [
        { name: '_hap._tcp.local', type: 'PTR' },
        { name: 'Lamp._hap._tcp.local', type: 'SRV' },
      ],
      { knownAnswers: [{ name: '_hap._tcp.local', target: 'Lamp._hap._tcp.local', ttlSeconds: 4000 }] },
    );
    const { questions, answers } = decode(packet) as Packet;
    expect(questions?.map(({ name, type }) => `${type} ${name}`)).toEqual([
      'PTR _hap._tcp.local',
      'SRV Lamp._hap._tcp.local',
    ]);
    expect(answers).toMatchObject([
      { type: 'PTR', name: '_hap._tcp.local', ttl: 4000, data: 'Lamp._hap._tcp.local' },
    ] satisfies Partial<Answer>[]);
  });

  it('asks for a unicast answer by the top bit of the class', () => {
    const packet = writeQuery([{ name: 'a.local', type: 'A' }], { unicast: true });
    expect(packet.subarray(-4).toString('hex')).toBe('00018001');
  });

  it('known answers that no longer fit are left out', () => {
    const knownAnswers = Array.from({ length: 300 }, (_, at) => ({
      name: '_hap._tcp.local',
      target: `Accessory number ${at}._hap._tcp.local`,
      ttlSeconds: 4000,
    }));
    const packet = writeQuery([{ name: '_hap._tcp.local', type: 'PTR' }], { knownAnswers });
    expect(packet.length).toBeLessThanOrEqual(1_400);
    expect((decode(packet) as Packet).answers?.length).toBeGreaterThan(25);
  });
});

describe('Names', () => {
  const label = fc.uint8Array({ minLength: 1, maxLength: 63 }).map((bytes) => Buffer.from(bytes));

  it('any labels, text or not, survive the text form', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 6 }), (labels) => {
        expect(labelsOf(nameOf(labels))).toEqual(labels);
      }),
    );
  });

  it('a name in a query can be read back, byte for byte', () => {
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 3 }), (labels) => {
        const name = nameOf(labels);
        const query = writeQuery([{ name, type: 'SRV' }]);
        const wire = Buffer.concat([...labels.flatMap((part) => [Buffer.from([part.length]), part]), Buffer.from([0])]);
        expect(query.subarray(12, -4)).toEqual(wire);
        expect(query.length).toBeLessThanOrEqual(12 + questionBytes({ name, type: 'SRV' }));
      }),
    );
  });

  it('case folds for ASCII only', () => {
    expect(nameKey('KÜCHE İ.Local')).toBe('kÜche İ.local');
  });

  it('an instance’s name is shown unescaped, whether its dots came inside a label or between labels', () => {
    expect(instanceName('Living\\.Room\\\\._hap._tcp.local')).toBe('Living.Room\\');
    expect(instanceName('Living.Room._hap._tcp.local')).toBe('Living.Room');
  });
});
