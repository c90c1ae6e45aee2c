import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { quote, toJsonLine, toText } from '../demo/announce.ts';
import { parseOptions } from '../demo/options.ts';

const ready = {
  url: 'http://127.0.0.1:5656',
  dataDir: '/tmp/data',
  house: {
    accessories: [
      { name: 'Lamp', deviceId: 'AA:BB:CC:DD:EE:FF', port: 1, setupCode: '031-45-154', room: 'Hall', children: [] },
    ] as never,
    stop: async () => {},
  },
  furnished: {
    token: 'hc_x',
    lampPath: ["rob's_home_0001", 'hall_0002', 'lamp_0003'] as const,
    people: { email: 'demo@example.org', password: 'secret', sharePath: '/s/hash' },
  },
};

describe('the demo', () => {
  it('says in one line of JSON what a program needs, and nothing more', () => {
    const line = toJsonLine(ready);
    expect(line).not.toContain('\n');
    expect(JSON.parse(line)).toEqual({
      url: 'http://127.0.0.1:5656',
      token: 'hc_x',
      email: 'demo@example.org',
      password: 'secret',
      shareUrl: 'http://127.0.0.1:5656/s/hash',
      dataDir: '/tmp/data',
      accessories: [{ name: 'Lamp', deviceId: 'AA:BB:CC:DD:EE:FF', port: 1, setupCode: '031-45-154' }],
    });
  });

  it('prints curl lines that a shell reads as meant', () => {
    const lines = toText(ready)
      .split('\n')
      .filter((line) => line.trimStart().startsWith('curl'));
    expect(lines).toHaveLength(4);
    const words = execFileSync('sh', ['-c', `printf '%s\\n' ${lines[1]?.trimStart()}`], { encoding: 'utf8' });
    expect(words.trimEnd().split('\n')).toContain(
      JSON.stringify({ "rob's_home_0001": { hall_0002: { lamp_0003: { on: true } } } }),
    );
    expect(quote("it's")).toBe(`'it'\\''s'`);
  });

  it('refuses arguments that it does not know', () => {
    expect(parseOptions(['--json', '--port', '6000'])).toMatchObject({ json: true, port: 6000, dataDir: undefined });
    expect(() => parseOptions(['--port', '0'])).toThrow('1 to 65535');
    expect(() => parseOptions(['--prot'])).toThrow("'--prot'");
  });
});
