import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readEnvironment } from '../../src/config/env.ts';

const SRC = resolve(import.meta.dirname, '../../src');

describe('the environment', () => {
  it('is read in one file only, besides the settings of the development server', () => {
    const readers = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .filter((file) =>
        readFileSync(join(SRC, file), 'utf8')
          .replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')
          .includes('process.env'),
      );
    expect(readers).toEqual(['config/env.ts', 'web/vite.config.ts']);
  });

  it('returns the watchdog interval in milliseconds, to the process that is watched', () => {
    expect(readEnvironment({ WATCHDOG_USEC: '30000000' }).watchdogMs).toBe(30_000);
    expect(readEnvironment({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) }).watchdogMs).toBe(30_000);
    expect(readEnvironment({ WATCHDOG_USEC: '30000000', WATCHDOG_PID: '1' }).watchdogMs).toBeUndefined();
    expect(readEnvironment({ WATCHDOG_USEC: 'soon' }).watchdogMs).toBeUndefined();
    expect(readEnvironment({}).watchdogMs).toBeUndefined();
  });

  it('takes any value of NO_COLOR but the empty one', () => {
    expect(readEnvironment({ NO_COLOR: '0' }).noColor).toBe(true);
    expect(readEnvironment({ NO_COLOR: '' }).noColor).toBe(false);
  });
});
