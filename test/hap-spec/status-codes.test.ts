import * as hapNodejs from '@homebridge/hap-nodejs';
import { describe, expect, it } from 'vitest';
import { STATUS_CODES, statusOf } from '../../src/hap-spec/status-codes.ts';

/** Declared as a `const enum`, which exists at run time all the same. */
const { HAPStatus } = hapNodejs as unknown as { HAPStatus: Readonly<Record<string, number | string>> };

describe('status codes', () => {
  it('are all that HAP-NodeJS knows', () => {
    const known = Object.values(HAPStatus).filter((value) => typeof value === 'number');
    expect(STATUS_CODES.map(({ code }) => code).sort()).toEqual(known.sort());
  });

  it('are looked up with or without their sign', () => {
    expect(statusOf(-70403).name).toBe('resource_busy');
    expect(statusOf(70403)).toBe(statusOf(-70403));
    expect(statusOf(0).name).toBe('success');
  });

  it.each([-70499, 70499, -1, 42, Number.NaN])('describe the unknown %d without failing', (code) => {
    const status = statusOf(code);
    expect(status.name).toBe('unknown');
    expect(status.sentence).toContain(String(code));
  });

  it('each explain in a sentence what to do', () => {
    for (const { sentence } of STATUS_CODES) expect(sentence).toMatch(/^The .+\.$/);
  });
});
