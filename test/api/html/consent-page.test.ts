import { describe, expect, it } from 'vitest';
import { ConsentPage, type ConsentPageProps, redirectHostOf } from '../../../src/api/html/consent-page.tsx';
import { texts } from '../../../src/api/html/texts.ts';

const ORDINARY: ConsentPageProps = {
  texts: texts.en,
  clientName: 'Home Assistant',
  redirectHost: 'homeassistant.local:8123',
  redirectUri: 'http://homeassistant.local:8123/auth/external/callback',
  scopes: ['read', 'write'],
  homes: [
    { id: 'h1', name: 'My Home', role: 'owner' },
    { id: 'h2', name: 'Cottage', role: 'view' },
  ],
  csrf: 'the-token',
  action: '/oauth/interaction/Ab-1',
  user: { name: 'Ann', email: 'ann@example.org' },
};

function render(changes: Partial<ConsentPageProps> = {}): string {
  return String(ConsentPage({ ...ORDINARY, ...changes }));
}

/** The values that a choice offers, the chosen one with a star. */
function offered(html: string, name: string): readonly string[] {
  const inputs = [...html.matchAll(new RegExp(`<input type="(?:radio|checkbox)" name="${name}"[^>]*>`, 'g'))];
  return inputs.map(([input]) => `${/value="([^"]*)"/.exec(input)?.[1]}${input.includes('checked=""') ? '*' : ''}`);
}

describe('the consent page', () => {
  it('shows the app’s name as its own claim, and where the answer really goes', () => {
    const html = render();
    expect(html).toContain('<bdi>Home Assistant</bdi> <span class="badge warn">unverified</span>');
    expect(html).toContain('<bdi class="address">homeassistant.local:8123</bdi>');
    expect(html).toContain('http://homeassistant.local:8123/auth/external/callback');
  });

  it.each([
    ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['another direction', 'Home\u202e knaB\u2066', 'Home knaB'],
    ['quotes', '" autofocus onfocus="alert(1)', '&quot; autofocus onfocus=&quot;alert(1)'],
    ['nothing at all', '\u200b', 'unnamed'],
  ])('shows a name of %s as harmless text', (_, clientName, shown) => {
    const html = render({ clientName });
    expect(html).toContain(`<bdi>${shown}</bdi>`);
    expect(html).not.toMatch(/<img|<script|[\u202a-\u202e\u2066-\u2069]/);
  });

  it('lets no name push the rest out of sight', () => {
    const html = render({ clientName: 'Trust me '.repeat(2_000) });
    expect(html.length).toBeLessThan(render().length + 300);
    expect(/<h1>Allow <bdi>([^<]*)<\/bdi>/.exec(html)?.[1]?.length).toBeLessThanOrEqual(40);
  });

  it('shows a site that the app claims as text, and never as a link', () => {
    const html = render({ clientUri: 'javascript:alert(1)' });
    expect(html).toContain('<bdi>javascript:alert(1)</bdi>');
    expect(html).not.toMatch(/href="(?:javascript|https?):/);
  });

  it.each([
    ['https://app.example/cb', 'app.example'],
    ['https://app.example:8443/cb', 'app.example:8443'],
    ['https://pаypal.example/cb', 'xn--pypal-4ve.example'],
    ['https://app.example@evil.example/cb', 'evil.example'],
    ['http://127.0.0.1:4711/cb', '127.0.0.1:4711'],
    ['homeassistant://auth/callback', 'homeassistant: an app on your device'],
  ])('names the host of %s as the network knows it', (uri, host) => {
    expect(redirectHostOf(uri, texts.en)).toBe(host);
  });

  it.each([
    [['read'], ['read*']],
    [['write'], ['read', 'write*']],
    [
      ['read', 'write', 'admin'],
      ['read', 'write', 'admin*'],
    ],
  ] as const)('offers what was asked for and less: %j', (scopes, expected) => {
    expect(offered(render({ scopes }), 'scope')).toEqual(expected);
  });

  it('offers each home, no further than the person and the app may go', () => {
    const html = render();
    expect(offered(html, 'home_h1')).toEqual(['none', 'view', 'control*']);
    expect(offered(html, 'home_h2')).toEqual(['none', 'view*']);
    expect(offered(html, 'all_homes')).toEqual(['undefined']);
    expect(offered(render({ scopes: ['read'] }), 'home_h1')).toEqual(['none', 'view*']);
  });

  it('keeps what was chosen when it comes back, with the reason', () => {
    const chosen = new URLSearchParams({ scope: 'read', home_h1: 'none', all_homes: 'on' });
    const html = render({ chosen, error: 'Wrong password.' });
    expect(offered(html, 'scope')).toEqual(['read*', 'write']);
    expect(offered(html, 'home_h1')).toEqual(['none*', 'view', 'control']);
    expect(offered(html, 'all_homes')).toEqual(['undefined*']);
    expect(html).toMatch(/role="alert"[^>]*><p>Wrong password\.<\/p>/);
    expect(html).toContain('id="password-problem"');
    expect(render({ error: 'Choose a home.', errorField: 'choice' })).not.toContain('id="password-problem"');
  });

  it('asks for the password, which refusing does not need', () => {
    const html = render();
    expect(html).toMatch(/<input id="password"[^>]*type="password" required=""[^>]*autocomplete="current-password"/);
    expect(html).toMatch(/<button class="primary" type="submit" name="approve" value="yes">/);
    expect(html).toMatch(/<button type="submit" name="approve" value="no" formnovalidate="">/);
    expect(html).toContain(
      '<form method="post" action="/oauth/interaction/Ab-1"><input type="hidden" name="csrf" value="the-token"/>',
    );
  });

  it('lets another user sign in instead, and comes back', () => {
    expect(render()).toContain(
      '<form method="post" action="/logout"><input type="hidden" name="csrf" value="the-token"/>' +
        '<input type="hidden" name="return_to" value="/oauth/interaction/Ab-1"/>',
    );
  });
});
