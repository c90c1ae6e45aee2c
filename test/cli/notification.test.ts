import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeChannel } from '../app/notifications/fake-channel.ts';
import { systemCaller } from '../support/test-home.ts';
import { type RunningDaemon, startDaemon } from './running-daemon.ts';

let push: FakeChannel;
let daemon: RunningDaemon;

beforeEach(async () => {
  push = new FakeChannel('push');
  daemon = await startDaemon({ notificationChannels: [push] });
});
afterEach(() => daemon.stop());

const hearthd = (...args: string[]) => daemon.hearthd('notification', ...args);

describe('hearthd notification', () => {
  it('tests every channel and reports each', async () => {
    expect(await hearthd('test', 'Do you read me?')).toEqual({
      code: 0,
      out: 'local: sent\npush: sent\nemail: not configured\n',
      err: '',
    });
    expect(push.sent).toMatchObject([{ title: 'hearthd', message: 'Do you read me?' }]);
    push.script.push('lasting');
    expect(await hearthd('test')).toEqual({
      code: 1,
      out: 'local: sent\npush: Refused.\nemail: not configured\n',
      err: '',
    });
    expect(JSON.parse((await hearthd('test', '--json')).out)).toMatchObject({ success: true, failures: {} });
  });

  it('lists the notifications of people, and clears it', async () => {
    expect((await hearthd('list')).err).toBe('No notifications.\n');
    await hearthd('test', 'One');
    expect((await hearthd('list', '--limit', '5')).out).toBe(
      [
        'WHEN                 TITLE    MESSAGE  SENT BY      NOT SENT  BUTTONS  ID',
        '2026-01-15 12:00:00  hearthd  One      local, push                     <id>',
        '',
      ].join('\n'),
    );
    expect((await hearthd('list', '--limit', 'x')).code).toBe(2);
    expect(await hearthd('clear')).toEqual({ code: 0, out: 'Deleted: 1.\n', err: '' });
  });

  it('presses a button, once', async () => {
    await daemon.home.notifications.notify({
      ...{ homeId: daemon.home.home.id, automationId: null, title: 'Garage', message: 'It is open', icon: null },
      ...{ iconColor: null, data: null, tag: null },
      buttons: [
        { id: 'close', title: 'Close garage' },
        { id: 'ignore', title: 'Ignore' },
      ],
    });
    expect((await hearthd('list')).out).toContain('close, ignore');
    const none = await hearthd('press', 'last', 'open');
    expect([none.code, none.err]).toEqual([4, expect.stringContaining('It has close, ignore.')]);
    expect(await hearthd('press', 'last', 'close garage')).toEqual({
      code: 0,
      out: 'Pressed Close garage.\n',
      err: '',
    });
    expect((await hearthd('list')).out).toContain('pressed: close');
    const [{ id } = { id: '' }] = daemon.home.notifications.history(systemCaller);
    const again = await hearthd('press', id, 'ignore');
    expect(again.code).not.toBe(0);
    expect((await hearthd('press', '00000000-0000-4000-8000-000000000000', 'close')).code).toBe(4);
  });

  it('chooses channels for everything or for a home, and forgets the choice', async () => {
    expect((await hearthd('preferences')).err).toMatch(/push and local on, email off/);
    expect(await hearthd('set', '--push', 'off')).toEqual({
      code: 0,
      out: 'For everything: push off, email off, local on.\n',
      err: '',
    });
    expect((await hearthd('set', '--home', 'my home', '--email', 'on')).out).toBe(
      'For home My Home: push off, email on, local on.\n',
    );
    expect((await hearthd('preferences')).out).toBe(
      ['FOR           PUSH  EMAIL  LOCAL', 'everything    off   off    on', 'home My Home  off   on     on', ''].join(
        '\n',
      ),
    );
    expect((await hearthd('reset', '--home', 'My Home')).out).toBe('Deleted the choice.\n');
    expect((await hearthd('reset', '--home', 'My Home')).out).toBe('There is no such choice.\n');
  });

  it.each([
    [['set'], 2, /Pass --push, --email or --local/],
    [['set', '--push', 'maybe'], 2, /Use on or off/],
    [['set', '--home', 'My Home', '--automation', 'x', '--push', 'on'], 2, /Pass either/],
    [['set', '--home', 'Nowhere', '--push', 'on'], 4, /No home "Nowhere"/],
    [['reset', '--automation', '00000000-0000-4000-8000-000000000000'], 4, /Automation not found/],
  ])('refuses %j', async (args, code, message) => {
    const answer = await hearthd(...args);
    expect(answer.code).toBe(code);
    expect(answer.err).toMatch(message);
  });
});

describe('hearthd start', () => {
  it('takes no secret as a flag, where other users of the computer could read it', async () => {
    for (const flag of ['--ntfy-url', '--ntfy-token', '--smtp-url']) {
      expect(await daemon.hearthd('start', flag, 'x')).toMatchObject({
        code: 2,
        err: expect.stringMatching(/unknown option/),
      });
    }
    const { out } = await daemon.hearthd('start', '--help');
    expect(out).toMatch(/ntfy_url, ntfy_token, smtp_url/);
    expect(out).toMatch(/--email-to <address>/);
  });
});
