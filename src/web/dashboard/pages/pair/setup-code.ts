/** Setup codes as users type, paste and scan them. The relay validates them; these checks help during input. */

/** The content of a QR code (HAP specification §4.2.1.1). */
const PAYLOAD = /^x-hm:\/\/[0-9a-z]{9,}$/i;
/** Matter's payload, which looks similar. */
const MATTER_PAYLOAD = /^mt:/i;
const DIGITS = 8;
/** HAP specification §4.2.1.2: codes that no accessory may use. */
const TRIVIAL = new Set([
  ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(DIGITS)),
  '12345678',
  '87654321',
]);

/** Formats digits as `XXX-XX-XXX` during input; the content of a QR code stays unchanged. */
export function shapeSetupCode(typed: string): string {
  const text = typed.normalize('NFKC').trim();
  if (/^[a-z]/i.test(text)) return text.slice(0, 100);
  const digits = text.replace(/\D/g, '').slice(0, DIGITS);
  return [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter(Boolean).join('-');
}

/** `missing`: incomplete. */
export type CodeState = 'missing' | 'good' | 'matter' | 'letters' | 'trivial';

/** Whether the code can be sent. */
export function judgeSetupCode(text: string): CodeState {
  if (PAYLOAD.test(text)) return 'good';
  if (MATTER_PAYLOAD.test(text)) return 'matter';
  if (/[a-z]/i.test(text)) return 'letters';
  const digits = text.replace(/\D/g, '');
  if (digits.length < DIGITS) return 'missing';
  return TRIVIAL.has(digits) ? 'trivial' : 'good';
}

/** The result of several QR codes: the setup payload if one contains it; else `matter` or `other` for other codes. */
export type Scanned = { readonly payload: string } | 'matter' | 'other' | 'nothing';

export function judgeScanned(texts: readonly string[]): Scanned {
  const payload = texts.map((text) => text.trim()).find((text) => PAYLOAD.test(text));
  if (payload !== undefined) return { payload };
  if (texts.some((text) => MATTER_PAYLOAD.test(text.trim()))) return 'matter';
  return texts.length > 0 ? 'other' : 'nothing';
}
