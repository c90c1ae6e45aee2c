/** One line of `hearthd doctor`: the check, its status, and the fix. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** A sentence or a command. Missing if the status is `ok`. */
  readonly fix?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const warn = (check: string, message: string, fix: string): Finding => ({ check, status: 'warn', message, fix });
export const fail = (check: string, message: string, fix: string): Finding => ({ check, status: 'fail', message, fix });
