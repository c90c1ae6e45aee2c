import { describe, expect, it } from 'vitest';
import { LogRing } from '../../src/kernel/log-ring.ts';
import { createLog } from '../../src/kernel/logger.ts';

const lines: string[] = [];
const destination = {
  write: (line: string) => {
    lines.push(line);
  },
};

function line(msg: string, fields: object = {}): string {
  return JSON.stringify({ level: 30, time: '2026-01-15T12:00:00.000Z', ...fields, msg });
}

describe('the log', () => {
  it('keeps in memory what it writes, with the fields of its children and without secrets', () => {
    const log = createLog({ level: 'info', format: 'json', destination });
    log.logger.child({ part: 'discovery' }).warn({ token: 'hc_secret', device: 'Lamp' }, 'It went away');
    expect(log.ring.read({ limit: 10 })).toEqual([
      {
        seq: 1,
        at: expect.any(Number),
        level: 'warn',
        message: 'It went away',
        fields: { part: 'discovery', device: 'Lamp', token: '[Redacted]' },
      },
    ]);
    expect(lines.join('')).toContain('It went away');
    expect(lines.join('')).not.toContain('hc_secret');
  });

  it('follows its level at once, in children too, and writes nothing when it is silent', () => {
    const log = createLog({ level: 'warn', format: 'json', destination });
    const child = log.logger.child({ part: 'x' });
    child.info({}, 'unheard');
    log.level = 'debug';
    child.debug({}, 'heard');
    log.level = 'silent';
    child.error({}, 'unheard too');
    expect(log.ring.read({ limit: 10 }).map(({ message }) => message)).toEqual(['heard']);
  });
});

describe('the last lines', () => {
  it('are given behind a number, from a level on, the newest so many', () => {
    const ring = new LogRing();
    for (const [msg, level] of [
      ['a', 20],
      ['b', 30],
      ['c', 40],
      ['d', 50],
    ] as const)
      ring.write(line(msg, { level }));
    const read = (query: object): string =>
      ring
        .read({ limit: 10, ...query })
        .map(({ message }) => message)
        .join('');
    expect([read({}), read({ after: 2 }), read({ level: 'warn' }), read({ limit: 2 }), read({ after: 4 })]).toEqual([
      'abcd',
      'cd',
      'cd',
      'cd',
      '',
    ]);
    expect(ring.lastSeq).toBe(4);
  });

  it('are bounded in number and in size, and one that is too long keeps its sentence', () => {
    const ring = new LogRing();
    for (let count = 0; count < 2_500; count += 1) ring.write(line(`line ${count}`));
    expect(ring.read({ limit: 10_000 })).toHaveLength(2_000);
    for (let count = 0; count < 2_000; count += 1) ring.write(line('x', { text: 'y'.repeat(2_000) }));
    expect(ring.read({ limit: 10_000 }).length).toBeLessThan(500);
    ring.write(line('A stack', { stack: 'z'.repeat(100_000) }));
    expect(ring.read({ limit: 1 })).toMatchObject([{ message: 'A stack', fields: { shortened: true } }]);
  });
});
