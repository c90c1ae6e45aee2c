/** What somebody signs in with, from its User-Agent to what a person would call it: enough to tell their own phone from a stranger's. */
import type { FaceContext } from '../env.ts';
import { plainText } from './plain-text.tsx';

/** The first that is found counts: most browsers claim to be several others too. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
];

/** What the browser says that it is; sessions are kept with it. */
export function deviceOf(c: FaceContext): string | undefined {
  return c.req.header('user-agent');
}

export function deviceInWords(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'An unknown device';
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (program === undefined) return plainText(userAgent, 60);
  return system === undefined ? program : `${program} on ${system}`;
}
