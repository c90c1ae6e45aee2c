/** Derives a device's name for people from its User-Agent: enough to distinguish their own phone from a stranger's. */
import type { ApiContext } from '../env.ts';
import { plainText } from './plain-text.tsx';
import type { PageTexts } from './texts.ts';

/** The first match counts: most browsers claim to be several others too. */
const PROGRAMS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, keyof PageTexts['devices']['systems']])[] = [
  [/\biPhone\b/, 'iphone'],
  [/\biPad\b/, 'ipad'],
  [/\bAndroid\b/, 'android'],
  [/\bWindows\b/, 'windows'],
  [/\bCrOS\b/, 'chromeos'],
  [/\bMac OS X\b|\bMacintosh\b/, 'mac'],
  [/\bLinux\b/, 'linux'],
];

/** The User-Agent, stored with sessions. */
export function deviceOf(c: ApiContext): string | undefined {
  return c.req.header('user-agent');
}

export function deviceInWords(
  userAgent: string | null,
  { devices, unnamed }: Pick<PageTexts, 'devices' | 'unnamed'>,
): string {
  if (userAgent === null || userAgent === '') return devices.unknown;
  const program = PROGRAMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (program === undefined) return plainText(userAgent, 60, unnamed);
  return system === undefined ? program : devices.on({ program, system: devices.systems[system] });
}
