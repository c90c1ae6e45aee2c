/** The pages as they are installed: built beside the compiled daemon, and served by it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuiltDaemon, type BuiltProgram, buildProgram } from '../support/built-daemon.ts';
import { buildWebInto } from '../support/built-web.ts';

interface Asset {
  readonly path: string;
  readonly type: string;
  readonly etag: string;
  readonly immutable: boolean;
  readonly hasBrotli: boolean;
}

let program: BuiltProgram;
let web: string;
let daemon: BuiltDaemon;
let manifest: readonly Asset[];

beforeAll(async () => {
  program = buildProgram();
  web = buildWebInto(program);
  manifest = JSON.parse(readFileSync(join(web, 'manifest.json'), 'utf8'));
  daemon = await BuiltDaemon.start({ program });
});

afterAll(async () => {
  await daemon?.[Symbol.asyncDispose]();
  program?.[Symbol.dispose]();
});

describe('the built daemon', () => {
  it('serves every file of the build, byte for byte, with its type and its ETag', async () => {
    const assets = manifest.filter(({ path }) => path.startsWith('assets/'));
    expect(assets.length).toBeGreaterThan(10);
    for (const { path, type, etag, immutable } of assets) {
      const answer = await fetch(`${daemon.url}/${path}`, { headers: { 'Accept-Encoding': 'identity' } });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, type]);
      expect(answer.headers.get('etag')).toBe(etag);
      expect(answer.headers.get('cache-control')).toContain(immutable ? 'immutable' : 'no-cache');
      expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(join(web, path)))).toBe(true);
    }
  });

  it.each(['docs', 'docs/api', 'docs/settings', 'graphiql'])(
    'serves /%s, which names only scripts and styles of its own that exist',
    async (page) => {
      const html = await (await fetch(`${daemon.url}/${page}`)).text();
      const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
      const files = named.filter((address) => address.startsWith('/assets/'));
      expect(files.length).toBeGreaterThanOrEqual(2);
      expect(named.filter((address) => /^(https?:)?\/\//.test(address))).toEqual([]);
      for (const file of files) expect((await fetch(daemon.url + file, { method: 'HEAD' })).status).toBe(200);
      // No script is written into the page: the policy would stop it.
      expect(html).not.toMatch(/<script(?![^>]*\ssrc=)[^>]*>/);
      expect(html).not.toMatch(/\son\w+=/);
    },
  );

  it('has a gzipped copy of each, which is the same', () => {
    for (const { path } of manifest) {
      const zipped = gunzipSync(readFileSync(join(web, `${path}.gz`)));
      expect(zipped.equals(readFileSync(join(web, path)))).toBe(true);
    }
  });

  it('has a copy in Brotli of what the first page needs, which is the same', async () => {
    const files = manifest.filter(({ hasBrotli }) => hasBrotli);
    expect(files.filter(({ path }) => /\.(?:js|css)$/.test(path)).length).toBeGreaterThan(5);
    for (const { path } of files)
      expect(brotliDecompressSync(readFileSync(join(web, `${path}.br`))).equals(readFileSync(join(web, path)))).toBe(
        true,
      );
    const { path = '' } = files.find((file) => file.path.startsWith('assets/')) ?? {};
    const answer = await fetch(`${daemon.url}/${path}`, { headers: { 'Accept-Encoding': 'gzip, br' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(join(web, path)))).toBe(true);
  });

  it('carries the licences of what is in its pages', () => {
    const licences = readFileSync(join(web, 'assets/licenses.md'), 'utf8');
    for (const name of ['graphiql', 'react', 'codemirror']) expect(licences.toLowerCase()).toContain(name);
    expect(readFileSync(join(web, 'assets/swagger-ui-notice.txt'), 'utf8')).toMatch(/swagger-ui/i);
  });

  it('calls the relay only: no address of a telemetry or a font service is in the code', () => {
    for (const { path } of manifest.filter((asset) => /\.(?:js|css|html)$/.test(asset.path))) {
      const text = readFileSync(join(web, path), 'utf8');
      expect(text).not.toMatch(
        /fonts\.g(?:oogleapis|static)\.com|google-analytics|sentry\.io|unpkg\.com|jsdelivr|scarf\.sh/,
      );
    }
  });
});
