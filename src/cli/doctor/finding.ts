/** One line of `hearthd doctor`: what was looked at, how it is, and what to do about it. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** A sentence or a command. Where the status is `ok` there is none. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const warn = (check: string, message: string, fix: string): Finding => ({ check, status: 'warn', message, fix });
export const fail = (check: string, message: string, fix: string): Finding => ({ check, status: 'fail', message, fix });
