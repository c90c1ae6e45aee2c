/** Comma-separated values (RFC 4180). */

export const CSV_LINE_END = '\r\n';

/** Characters that spreadsheets interpret as the start of a formula (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n]/;

/** Escapes a text so that no spreadsheet executes it and no parser splits it. */
export function csvCell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
