import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import { RememberingRouter } from '../../src/api/remembering-router.ts';

function createApp(): Hono {
  return new Hono({ router: new RememberingRouter() })
    .get('/things/all', (c) => c.text('all'))
    .get('/things/:id', (c) => c.text(`one ${c.req.param('id')}`))
    .delete('/things/:id', (c) => c.text(`gone ${c.req.param('id')}`));
}

async function textOf(app: Hono, path: string, method = 'GET'): Promise<string> {
  return (await app.request(path, { method })).text();
}

describe('the remembering router', () => {
  it('gives each path its own parameters and each method its own handler, each time', async () => {
    const app = createApp();
    for (let round = 0; round < 3; round += 1) {
      expect(await textOf(app, '/things/all')).toBe('all');
      expect(await textOf(app, '/things/1')).toBe('one 1');
      expect(await textOf(app, '/things/2')).toBe('one 2');
      expect(await textOf(app, '/things/a%20b')).toBe('one a b');
      expect(await textOf(app, '/things/1', 'DELETE')).toBe('gone 1');
      expect((await app.request('/nothing')).status).toBe(404);
    }
  });

  it('answers any number of paths, and long ones', async () => {
    const app = createApp();
    for (let id = 0; id < 2_500; id += 1) expect(await textOf(app, `/things/${id}`)).toBe(`one ${id}`);
    expect(await textOf(app, '/things/7')).toBe('one 7');
    const long = 'x'.repeat(500);
    expect(await textOf(app, `/things/${long}`)).toBe(`one ${long}`);
  });

  it('keeps a bounded number of results', () => {
    const router = new RememberingRouter<string>();
    router.add('GET', '/things/:id', 'one');
    const first = router.match('GET', '/things/0');
    expect(router.match('GET', '/things/0')).toBe(first);
    for (let id = 1; id <= 1_000; id += 1) router.match('GET', `/things/${id}`);
    expect(router.match('GET', '/things/0')).not.toBe(first);
    const long = `/things/${'x'.repeat(200)}`;
    expect(router.match('GET', long)).not.toBe(router.match('GET', long));
  });
});
