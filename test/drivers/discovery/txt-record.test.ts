import { describe, expect, it } from 'vitest';
import { parseHapTxt } from '../../../src/drivers/discovery/txt-record.ts';

const ID = 'AA:BB:CC:DD:EE:01';
const parse = (...strings: readonly (string | Buffer)[]) =>
  parseHapTxt(strings.map((string) => (typeof string === 'string' ? Buffer.from(string) : string)));

describe('The TXT record', () => {
  it('with an id alone, everything else takes its fallback', () => {
    expect(parse(`id=${ID}`)).toEqual({
      deviceId: ID,
      model: '',
      category: 1,
      configNumber: null,
      stateNumber: null,
      statusFlags: 0,
      featureFlags: 0,
      protocolVersion: '1.0',
    });
  });

  it('has the key of a relay that publishes a home', () => {
    expect(parse(`id=${ID}`, 'hd=0badcafe')).toMatchObject({ publishedBy: '0badcafe' });
    expect(parse(`id=${ID}`, 'hd')).not.toHaveProperty('publishedBy');
  });

  it.each([
    ['no id', ['md=Bulb']],
    ['an empty id', ['id=']],
    ['an id without a value', ['id']],
    ['an id of another form', ['id=AABBCCDDEE01']],
    ['an id that is too long', [`id=${ID}:02`]],
    ['nothing', []],
  ])('%s is no accessory server', (_, strings) => {
    expect(parse(...strings)).toBeUndefined();
  });

  it.each([
    ['12', 12],
    [' 12 ', 12],
    ['65535', 65_535],
    ['4294967295', 4_294_967_295],
    ['0x1f', 31],
    ['', null],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['NaN', null],
    ['99999999999', null],
    ['4294967296', null],
  ])('c# "%s" is %s', (text, expected) => {
    expect(parse(`id=${ID}`, `c#=${text}`)?.configNumber).toBe(expected);
  });

  it('keys count in any case, the first of several alike wins, and a string without a key is ignored', () => {
    expect(parse('=x', `ID=${ID.toLowerCase()}`, 'MD=First', 'md=Second', 'C#=4', 'flag')).toMatchObject({
      deviceId: ID,
      model: 'First',
      configNumber: 4,
    });
  });

  it('a model may hold an equals sign, and bytes that are no text become replacement characters', () => {
    expect(parse(`id=${ID}`, 'md=a=b')?.model).toBe('a=b');
    expect(parse(`id=${ID}`, Buffer.from([0x6d, 0x64, 0x3d, 0x41, 0xff, 0xfe]))?.model).toBe('A\ufffd\ufffd');
    expect(parse(`id=${ID}`, 'md=\u001b]0;x\u0007')?.model).toBe('\ufffd]0;x\ufffd');
  });
});
