/** Values from outside that nest so deep that a recursive reader runs out of stack. */
import { describe, expect, it } from 'vitest';
import type { HttpSender } from '../../../../src/home/http-sender.ts';
import { createAutomationHome } from '../../../support/automation-home.ts';

/** As deep as the 64 KiB that are taken of an answer allow. */
const DEPTH = 32_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;

const http: HttpSender = {
  send: () =>
    Promise.resolve({
      status: 200,
      statusText: 'OK',
      headers: { 'content-type': 'application/json' },
      body: DEEP,
    }),
};

function homeWithTwo() {
  const home = createAutomationHome({ http });
  const asks = home.saveFlow({
    actions: [
      { id: 'ask', type: 'http_request', url: 'http://192.168.1.20/', method: 'GET' },
      { type: 'fire_event', eventType: 'asked' },
      { type: 'delay', duration: { seconds: 5 } },
    ],
  });
  const receives = home.saveFlow({ triggers: [{ type: 'event', eventType: 'asked' }] });
  return { home, asks, receives };
}

describe('an answer of a server that is nested thousands of levels deep', () => {
  it('ends no run, and spoils neither its trace nor those of others', async () => {
    const { home, asks, receives } = homeWithTwo();
    home.run(asks.id);
    await home.settle();
    await home.clock.advance(7_000);
    await home.settle();
    expect(home.tracesOf(asks.id)[0]).toMatchObject({ status: 'success', finishedAt: expect.any(Number) });
    expect(home.tracesOf(receives.id)[0]).toMatchObject({ status: 'success' });
    await home.stop();
  });
});
