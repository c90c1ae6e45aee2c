import { describe, expect, it } from 'vitest';
import { lanOrigins } from '../../src/api/lan-origin.ts';
import { shareUrlsFrom } from '../../src/api/share-url.ts';
import { TEST_GUARDS } from '../support/rest-client.ts';

const origins = (url: string, ...hosts: string[]) => lanOrigins({ ownHosts: () => new Set(hosts), url: () => url })();
const origin = (url: string, ...hosts: string[]) => origins(url, ...hosts)[0];

describe('where other devices reach the relay', () => {
  it('is an address of this machine, one of a home before one of a container', () => {
    const hosts = [
      'localhost',
      '127.0.0.1',
      '::1',
      '172.17.0.1',
      '169.254.3.4',
      '192.168.1.5',
      'fe80::1',
      'hearth.local',
    ];
    expect(origin('http://localhost:5656', ...hosts)).toBe('http://192.168.1.5:5656');
    expect(origin('https://localhost:443', '172.17.0.1', '10.0.0.7')).toBe('https://10.0.0.7:443');
    expect(origin('http://localhost:5656', '203.0.113.9')).toBe('http://203.0.113.9:5656');
  });

  it('are all addresses of this machine but those that lead nowhere else', () => {
    const hosts = ['localhost', '127.0.0.1', '::1', '172.17.0.1', '169.254.3.4', '10.0.0.7', '192.168.1.5', 'h.local'];
    const expected = ['192.168.1.5', '10.0.0.7', '172.17.0.1'].map((host) => `http://${host}:5656`);
    expect(origins('http://localhost:5656', ...hosts)).toEqual(expected);
  });

  it('is the name that mDNS announces where there is no such address, and else unknown', () => {
    expect(origin('http://localhost:5656', '127.0.0.1', 'hearth.local', 'fe80::1')).toBe('http://hearth.local:5656');
    expect(origin('http://localhost:5656', '127.0.0.1')).toBeUndefined();
  });

  it('is where it listens, if that is one address; nowhere if it is this machine alone', () => {
    expect(origin('http://192.168.1.9:80', '10.0.0.7')).toBe('http://192.168.1.9');
    expect(origin('http://127.0.0.1:5656', '192.168.1.5')).toBeUndefined();
  });
});

describe('the address of a share', () => {
  const from = (guards: object, requested: string) => shareUrlsFrom({ ...TEST_GUARDS, ...guards }, requested)('HASH');
  const lan = { lanOrigin: () => 'http://192.168.1.5:5656' };

  it('is where the relay is published, else where the request reached it', () => {
    expect(from({ ...lan, publicUrl: 'https://home.example/' }, 'http://localhost:5656')).toBe(
      'https://home.example/s/HASH',
    );
    expect(from(lan, 'http://hearth.local:5656')).toBe('http://hearth.local:5656/s/HASH');
  });

  it.each(['http://localhost:5656', 'http://127.0.0.1:5656', 'http://[::1]:5656', ''])(
    'is never this machine alone where another address is known: %s',
    (requested) => {
      expect(from(lan, requested)).toBe('http://192.168.1.5:5656/s/HASH');
      expect(from({ lanOrigin: () => undefined }, requested)).toBe(`${requested}/s/HASH`);
    },
  );

  it('is whole for the command line, too, where this machine alone is reached', () => {
    const own = { lanOrigin: () => undefined, ownUrl: () => 'http://127.0.0.1:5656/' };
    expect(from(own, '')).toBe('http://127.0.0.1:5656/s/HASH');
    expect(from(own, 'http://localhost:9000')).toBe('http://localhost:9000/s/HASH');
    expect(from({ ...lan, ...own, lanOrigin: lan.lanOrigin }, '')).toBe('http://192.168.1.5:5656/s/HASH');
  });
});
