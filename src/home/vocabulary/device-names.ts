/** What people call a device that signs in, by its User-Agent: browser and system for known ones, else the text. */

/** Specific browsers first: most browsers also claim to be several others. */
const BROWSERS = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

export function deviceName(userAgent: string | null | undefined): string | undefined {
  if (!userAgent) return undefined;
  const [browser, system] = [BROWSERS, SYSTEMS].map((list) => list.find(([, sign]) => sign.test(userAgent))?.[0]);
  const known = [browser, system].filter(Boolean).join(' · ');
  return known || userAgent;
}
