import { Accessory, uuid } from '@homebridge/hap-nodejs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSetupCode } from '../../../../src/drivers/hap/pairing/setup-code.ts';
import { decodeSetupPayload, encodeSetupPayload, TRIVIAL_SETUP_CODES } from '../../../../src/home/setup-payload.ts';
import { HearthError } from '../../../../src/kernel/errors.ts';

const digits = fc
  .integer({ min: 0, max: 99_999_999 })
  .map((number) => String(number).padStart(8, '0'))
  .filter((text) => !TRIVIAL_SETUP_CODES.has(dashed(text)));

/** HAP category number. */
const LIGHTBULB = 5;

const setupId = fc.stringMatching(/^[0-9A-Z]{4}$/);

function dashed(text: string): string {
  return `${text.slice(0, 3)}-${text.slice(3, 5)}-${text.slice(5)}`;
}

function refusalOf(text: string): HearthError {
  try {
    parseSetupCode(text);
  } catch (error) {
    if (error instanceof HearthError) return error;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('a setup code', () => {
  it('is taken with dashes, without, with spaces and with the dashes of word processors', () => {
    for (const text of [
      '031-45-154',
      '03145154',
      ' 031 45 154 ',
      '0314 5154',
      '031–45—154',
      '031\u201145\u2011154',
      '０３１４５１５４',
    ]) {
      expect(parseSetupCode(text)).toBe('031-45-154');
    }
  });

  it('comes out in one form, for every form of input', () => {
    fc.assert(
      fc.property(digits, (text) => {
        expect(parseSetupCode(text)).toBe(dashed(text));
        expect(parseSetupCode(dashed(text))).toBe(dashed(text));
      }),
    );
  });

  it('is refused if it is one of the twelve trivial ones', () => {
    expect(TRIVIAL_SETUP_CODES.size).toBe(12);
    for (const code of TRIVIAL_SETUP_CODES) {
      expect(refusalOf(code).message).toContain('HomeKit forbids');
      expect(refusalOf(code.replaceAll('-', '')).code).toBe('invalid_value');
      const payload = encodeSetupPayload({ setupCode: code, category: 5, flags: 2, setupId: 'ABCD' });
      expect(refusalOf(payload).message).toContain('HomeKit forbids');
    }
  });

  it('is refused with a sentence about what is wrong', () => {
    expect(refusalOf('031-45-15').message).toMatch(/8 digits.*has 7/);
    expect(refusalOf('031-45-1544').message).toMatch(/has 9/);
    expect(refusalOf('').message).toMatch(/has 0/);
    expect(refusalOf('031-45-15O').message).toMatch(/digits only/);
    expect(refusalOf('MT:Y.K9042C00KA0648G00').message).toMatch(/Matter/);
    expect(refusalOf('X-HM://123').message).toMatch(/damaged or cut short/);
    expect(refusalOf('X-HM://ZZZZZZZZZABCD').message).toMatch(/damaged/);
    expect(refusalOf('1').details.field).toBe('setupCode');
  });

  it('is never repeated in the refusal', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4, maxLength: 40 }), (text) => {
        try {
          parseSetupCode(text);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
          if (/^\d{4,}$/.test(text)) expect(String(error)).not.toContain(text);
        }
      }),
    );
  });
});

describe('an X-HM:// payload', () => {
  it('gives back code, category, flags and setup id', () => {
    const category = fc.integer({ min: 0, max: 255 });
    const flags = fc.integer({ min: 0, max: 15 });
    fc.assert(
      fc.property(digits, category, flags, fc.option(setupId), (text, category, flags, setupId) => {
        const payload = { setupCode: dashed(text), category, flags, setupId };
        const encoded = encodeSetupPayload(payload);
        expect(encoded).toMatch(/^X-HM:\/\/[0-9A-Z]{9}([0-9A-Z]{4})?$/);
        expect(decodeSetupPayload(encoded)).toEqual(payload);
        expect(parseSetupCode(` ${encoded.toLowerCase()} `)).toBe(dashed(text));
      }),
    );
  });

  it('is the same that HAP-NodeJS prints for its accessories', () => {
    const accessory = new Accessory('Lamp', uuid.generate('setup payload'));
    // What publish() would set; publishing itself would open ports.
    Object.assign(accessory, {
      _accessoryInfo: { pincode: '031-45-154', category: LIGHTBULB },
      _setupID: 'H7K2',
    });
    const printed = accessory.setupURI();
    expect(decodeSetupPayload(printed)).toEqual({ setupCode: '031-45-154', category: 5, flags: 2, setupId: 'H7K2' });
    expect(encodeSetupPayload(decodeSetupPayload(printed))).toBe(printed);
  });

  it('survives any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseSetupCode(`X-HM://${text}`);
        } catch (error) {
          expect(error).toBeInstanceOf(HearthError);
        }
      }),
    );
  });
});
