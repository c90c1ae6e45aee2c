/** Setup codes as people type, paste and scan them. The relay has the last word; this is for the hand that types. */

/** What is printed in a QR code (HAP specification §4.2.1.1). */
const PAYLOAD = /^x-hm:\/\/[0-9a-z]{9,}$/i;
/** Matter's, which look much alike. */
const MATTER_PAYLOAD = /^mt:/i;
const DIGITS = 8;
/** HAP specification §4.2.1.2: codes that no accessory may have. */
const TRIVIAL = new Set([
  ...Array.from({ length: 10 }, (_, digit) => String(digit).repeat(DIGITS)),
  '12345678',
  '87654321',
]);

/** Digits fall into `XXX-XX-XXX` while they are typed; the text of a QR code is left as it is. */
export function shapeSetupCode(typed: string): string {
  const text = typed.normalize('NFKC').trim();
  if (/^[a-z]/i.test(text)) return text.slice(0, 100);
  const digits = text.replace(/\D/g, '').slice(0, DIGITS);
  return [digits.slice(0, 3), digits.slice(3, 5), digits.slice(5)].filter(Boolean).join('-');
}

/** `missing`: not all of it is there yet. */
export type CodeState = 'missing' | 'good' | 'matter' | 'letters' | 'trivial';

/** Whether it is worth sending. */
export function judgeSetupCode(text: string): CodeState {
  if (PAYLOAD.test(text)) return 'good';
  if (MATTER_PAYLOAD.test(text)) return 'matter';
  if (/[a-z]/i.test(text)) return 'letters';
  const digits = text.replace(/\D/g, '');
  if (digits.length < DIGITS) return 'missing';
  return TRIVIAL.has(digits) ? 'trivial' : 'good';
}

/** What QR codes say together: the setup payload if one of them is it, `matter` or `other` if all of them are something else. */
export type Scanned = { readonly payload: string } | 'matter' | 'other' | 'nothing';

export function judgeScanned(texts: readonly string[]): Scanned {
  const payload = texts.map((text) => text.trim()).find((text) => PAYLOAD.test(text));
  if (payload !== undefined) return { payload };
  if (texts.some((text) => MATTER_PAYLOAD.test(text.trim()))) return 'matter';
  return texts.length > 0 ? 'other' : 'nothing';
}
