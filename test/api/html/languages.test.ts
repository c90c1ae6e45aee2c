/** The pages that the server renders, in the languages that people read. */
import { Hono } from 'hono';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApiEnv } from '../../../src/api/env.ts';
import { presentErrorPage } from '../../../src/api/html/error-page.tsx';
import { refusalOf } from '../../../src/api/html/refusal.ts';
import { PageError, sentenceOf } from '../../../src/api/html/sentences.ts';
import { texts } from '../../../src/api/html/texts.ts';
import { languageOf, localeOf } from '../../../src/api/language.ts';
import { HearthError } from '../../../src/kernel/errors.ts';
import { createShareHome, type ShareHome, TestBrowser } from '../share/share-home.ts';
import { type Pages, visitEveryPage } from './every-page.ts';
import type { PageAnswer } from './page-client.ts';

/** What both languages call the same: names in this home, and words that German took from English. */
const SAME = /^(?:hearthd|Ann|Bob|Eve|Auto|Position|Timer|Lamp|Thermostat|Motion|Default Room|Living Room)$/;
const THINGS = [
  'Alarm clock',
  'Blind',
  'Button',
  'Ceiling',
  'Egg',
  'Front Door',
  'Garage',
  'Kettle',
  'Level',
  'Visitors',
];

/** Every piece of text that a person perceives on a page; without names, commands and pictures. */
function wordsOf({ text }: PageAnswer): ReadonlySet<string> {
  const ours = text.replaceAll(/<(bdi|code|svg)\b.*?<\/\1>/gs, '');
  const read = [...ours.matchAll(/>([^<]+)</g)].map(([, words = '']) => words.trim());
  const received = [...ours.matchAll(/(?:aria-label|aria-valuetext|alt|title|data-unit)="([^"]*)"/g)];
  const all = [...read, ...received.map(([, words = '']) => words)].flatMap((words) => words.split(/ · |, (?=[A-Z])/));
  return new Set(all.filter((words) => /\p{L}{2}/u.test(words) && !SAME.test(words) && !THINGS.includes(words)));
}

describe('the language of a page', () => {
  const chosen = async (header: string | undefined): Promise<string> => {
    const app = new Hono<ApiEnv>().get('/', (c) => c.text(languageOf(c)));
    return (await app.request('/', header === undefined ? {} : { headers: { 'Accept-Language': header } })).text();
  };

  it.each([
    ['de', 'de'],
    ['de-AT', 'de'],
    ['DE-ch-1996', 'de'],
    ['en-GB', 'en'],
    ['de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['en-US,en;q=0.9,de;q=0.8', 'en'],
    // The weight counts, and not the order.
    ['en;q=0.4, de;q=0.8', 'de'],
    ['de;q=0.4, en;q=0.8', 'en'],
    ['en;q=0.5,de', 'de'],
    ['fr, de;q=0.3, en;q=0.2', 'de'],
    // Nought is a refusal (RFC 9110 §12.4.2).
    ['de;q=0', 'en'],
    ['de;q=0, *', 'en'],
    ['fr, de;q=0.0, en;q=0.1', 'en'],
  ])('is the language that %s prefers most of those there are: %s', async (header, language) => {
    expect(await chosen(header)).toBe(language);
  });

  it.each([undefined, '', '*', 'fr', 'fr-CA,es;q=0.7', 'den', 'nds, gsw', ';;;,=', 'x'.repeat(9_000)])(
    'is English if no preferred language exists: %s',
    async (header) => {
      expect(await chosen(header)).toBe('en');
    },
  );
});

describe('the locale of a page’s dates', () => {
  it.each([
    ['en-GB,en;q=0.9', 'en-GB'],
    ['DE-at', 'de-AT'],
    ['en, en-AU;q=0.8', 'en-AU'],
    ['de-CH;q=0.5, de;q=0.8', 'de-CH'],
    ['fr-CA, en;q=0.5', 'en'],
    ['de-DE, en-GB;q=0.9', 'de-DE'],
    // What else a tag may have names no region of ours; nought is a refusal.
    ['en-GB-oxendict', 'en'],
    ['en-u-ca-buddhist', 'en'],
    ['en, en-GB;q=0', 'en'],
    [undefined, 'en'],
  ])('has the region that %s names with the page’s language: %s', async (header, locale) => {
    const app = new Hono<ApiEnv>().get('/', (c) => c.text(localeOf(c)));
    const answer = await app.request('/', header === undefined ? {} : { headers: { 'Accept-Language': header } });
    expect(await answer.text()).toBe(locale);
  });
});

describe('every page', () => {
  let english: Pages;
  let german: Pages;

  beforeAll(async () => {
    english = await visitEveryPage();
    german = await visitEveryPage('de-DE,de;q=0.9,en;q=0.5');
  });

  it('is visited', () => {
    expect(english.size).toBeGreaterThan(60);
    expect([...german.keys()]).toEqual([...english.keys()]);
  });

  it.each(['en', 'de'] as const)('declares its language %s, to readers and to caches', (language) => {
    const answered = [...(language === 'de' ? german : english)].map(([name, { text, headers }]) => ({
      name,
      html: /^<!DOCTYPE html><html lang="([^"]*)">/.exec(text)?.[1],
      header: headers.get('content-language'),
      varies: headers.get('vary')?.split(', ').includes('Accept-Language'),
    }));
    expect(answered).toEqual(answered.map(({ name }) => ({ name, html: language, header: language, varies: true })));
  });

  it('answers with the same status in both', () => {
    const statuses = (pages: Pages) => [...pages].map(([name, { status }]) => [name, status]);
    expect(statuses(german)).toEqual(statuses(english));
  });

  it('has nothing in German that it has in English', () => {
    const left = [...english].flatMap(([name, page]) => {
      const words = wordsOf(german.get(name) ?? page);
      return [...wordsOf(page)].filter((sentence) => words.has(sentence)).map((sentence) => `${name}: ${sentence}`);
    });
    expect(left).toEqual([]);
  });

  it('has the same forms and fields in both', () => {
    const formsOf = ({ text }: PageAnswer) =>
      [
        ...text
          .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'an-id')
          .matchAll(/<(?:form|input|button|select|option) [^>]*>/g),
      ].map(([tag]) =>
        tag.match(/ (?:name|id|type|method|minlength|maxlength|required|autocomplete)="[^"]*"/g)?.join(''),
      );
    for (const [name, page] of english)
      expect([name, formsOf(german.get(name) ?? page)]).toEqual([name, formsOf(page)]);
  });

  it('shows refusals in German, and an English sentence only as one', () => {
    const answered = (name: string): string => german.get(name)?.text ?? '';
    for (const [name, sentence] of [
      ['wrong password', 'gehören nicht zusammen'],
      ['too many tries', /zu viele Versuche\. Warte (?:eine Sekunde|\d+ Sekunden) /],
      ['setup, bad code', 'Der Einrichtungscode ist falsch oder gilt nicht mehr.'],
      ['setup, bad password', 'id="password-problem">Dieses Passwort ist zu kurz oder zu lang.'],
      ['setup, bad address', 'id="email-problem">Gib eine E-Mail-Adresse an'],
      ['setup, bad name', 'Dieser Name ist zu lang.'],
      ['setup, taken', 'Dieses Relay gehört inzwischen jemandem.'],
      ['foreign form', 'Dieses Formular gilt nicht mehr'],
      ['invitation that is over', 'Die Einladung ist abgelaufen, schon benutzt oder zurückgezogen.'],
      ['account, wrong password', 'id="currentPassword-problem">Dieses Passwort ist falsch.'],
      ['consent, wrong password', 'id="password-problem">Dieses Passwort ist falsch.'],
      ['consent, no home', 'mindestens ein Zuhause'],
      ['passcode, wrong', 'id="passcode-problem">Dieser Code ist falsch.'],
      ['share that is closed', 'Diese Freigabe ist jetzt nicht offen.'],
      ['share for somebody', 'Melde dich mit dem Konto an'],
      ['value that is refused', 'Das Relay sagt auf Englisch: „Invalid value'],
      ['broken', 'In hearthd ist etwas schiefgegangen.'],
    ] as const) {
      expect([name, answered(name)]).toEqual([name, expect.stringMatching(sentence)]);
    }
  });

  it('writes numbers, times and devices as Germans do', () => {
    expect(german.get('share')?.text).toContain('20,5 °C · Heizt');
    expect(english.get('share')?.text).toContain('20.5°C · Heating');
    expect(german.get('account')?.text).toMatch(/<time datetime="2026-01-15T[^"]+">15\.01\.2026, \d\d:00</);
    expect(german.get('account')?.text).toContain('Safari auf einem Mac');
  });

  it.each(['en', 'de'])('keeps names that are markup as text: %s', async (language) => {
    const name = '<img src=x onerror=alert(1)>"';
    const pages = await visitEveryPage(language, name);
    const all = [...pages.values()].map(({ text }) => text).join('');
    expect(all).not.toMatch(/<img src=x|"[^"<>]*<img/);
    for (const page of ['invitation', 'account', 'consent', 'account with apps', 'share']) {
      expect([page, pages.get(page)?.text]).toEqual([
        page,
        expect.stringContaining('&lt;img src=x onerror=alert(1)&gt;'),
      ]);
    }
  });
});

describe('an error in German', () => {
  const german = (
    error: HearthError,
    ...place: Parameters<typeof sentenceOf> extends [unknown, unknown, ...infer P] ? P : never
  ) => sentenceOf(error, 'de', ...place);

  it('is translated by its reason before its place, and by its place before its code', () => {
    const bare = new HearthError('invalid_credentials', 'Wrong.');
    const reasoned = new HearthError('invalid_credentials', 'Wrong.', { reason: 'wrong_password' });
    expect(german(reasoned, 'setUp')).toBe('Dieses Passwort ist falsch.');
    expect(german(bare, 'setUp')).toMatch(/^Der Einrichtungscode/);
    expect(german(bare)).toMatch(/^Das stimmt nicht\./);
  });

  it('is the relay’s own sentence, marked as such, if it has no translation', () => {
    expect(german(new HearthError('invalid_value', 'Pigs can’t fly.'))).toContain('auf Englisch: „Pigs can’t fly.“');
    expect(german(new HearthError('conflict', 'Taken.', { reason: 'own_port' }))).toContain('„Taken.“');
  });

  it.each([
    [1, 'Warte eine Sekunde '],
    [17, 'Warte 17 Sekunden '],
    [60, 'Warte eine Minute '],
    [61, 'Warte 2 Minuten '],
  ])('shows how long to wait: %i s', (retryAfterSeconds, sentence) => {
    expect(german(new HearthError('rate_limited', 'Wait.', { retryAfterSeconds }))).toContain(sentence);
  });

  it('of a page’s own has one sentence a language; programs and the log get the English one', () => {
    const error = new PageError('not_found', (language) => texts[language].refused.invitationOver);
    expect(error.message).toBe(texts.en.refused.invitationOver);
    expect([german(error), sentenceOf(error, 'en')]).toEqual([texts.de.refused.invitationOver, error.message]);
  });

  it('stands at the form in the language of the page', () => {
    const error = new HearthError('invalid_credentials', 'Wrong e-mail address or password.');
    expect(refusalOf(error, 'de', 'signIn')).toMatchObject({
      message: expect.stringMatching(/^Diese E-Mail/),
      status: 422,
    });
    expect(refusalOf(error, 'en', 'signIn').message).toBe('Wrong e-mail address or password.');
  });

  it('shows nothing of unexpected errors', async () => {
    const app = new Hono<ApiEnv>().get('/', (c) => presentErrorPage(new Error('secret detail'), c, 'request-1'));
    const answer = await app.request('/', { headers: { 'Accept-Language': 'de' } });
    const text = await answer.text();
    expect(text).toContain('Im Protokoll steht es unter <code>request-1</code>.');
    expect(text).not.toContain('secret detail');
  });
});

describe('the stream of a share’s page', () => {
  let inventory: ShareHome;
  let link: string;

  beforeAll(async () => {
    inventory = createShareHome();
    link = await inventory.share('Lamp');
  });

  afterAll(() => inventory.home.close());

  const firstState = async (query: string, header: string) => {
    const headers = { Host: 'localhost', 'Accept-Language': header };
    const { body } = await inventory.app.request(`${link}/events?view=page${query}`, { headers });
    const reader = body?.getReader();
    let text = '';
    while (reader && !/^data: .*\n\n/m.test(text)) text += new TextDecoder().decode((await reader.read()).value);
    await reader?.cancel();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? 'null');
  };

  it('goes on in the language of the page, so that the page need not be reloaded', async () => {
    const page = await (await new TestBrowser(inventory.app).get(link, { 'Accept-Language': 'de' })).text();
    const shape = /data-shape="([^"]+)"/.exec(page)?.[1];
    const state = await firstState('&lang=de', 'en');
    expect(state.shape).toBe(shape);
    expect(Object.values(state.cards)).toEqual([expect.objectContaining({ summary: 'Aus' })]);
    expect((await firstState('&lang=en', 'de')).shape).not.toBe(shape);
  });

  it('is in the language of the browser where no page has its own', async () => {
    const summaries = async (query: string, header: string) => {
      const { cards } = await firstState(query, header);
      return Object.values<{ summary: string }>(cards).map(({ summary }) => summary);
    };
    expect(await summaries('', 'de')).toEqual(['Aus']);
    expect(await summaries('&lang=fr', 'en')).toEqual(['Off']);
  });
});

describe('programs', () => {
  it('are answered in English, in every language setting', async () => {
    const inventory = createShareHome();
    const headers = { 'Accept-Language': 'de' };
    const answers = [
      await inventory.client.get('/s/x', headers),
      await inventory.client.get(`${await inventory.share('Lamp')}/brightness/400`, headers),
      await inventory.client.get('/rest/homes', headers),
    ];
    for (const { body, headers: reported } of answers) {
      expect(`${body.error} ${body.message}`).toMatch(/Share not found|Invalid value for brightness|invalid_token/);
      expect([reported.get('content-language'), reported.get('vary')]).toEqual([null, null]);
    }
    inventory.home.close();
  });
});
