import { usageError } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** The flag of every command that takes a password: an argument would be seen by everybody who lists processes. */
export const PASSWORD_STDIN_OPTION = ['--password-stdin', 'read the password from the first line of stdin'] as const;

/** As the daemon has it; it judges, this only spares the person a second try. */
const MIN_LENGTH = 8;

/**
 * A new password: typed twice without being shown, or the first line of stdin.
 * @throws `CliError` there is nobody to ask, or nothing was given
 */
export async function readNewPassword(terminal: Terminal, fromStdin: boolean): Promise<string> {
  if (fromStdin) {
    const line = await terminal.readLine();
    if (!line) throw usageError('There was no password on stdin.');
    return line;
  }
  if (!terminal.canAsk) {
    throw usageError('Nobody is there to type a password: give --password-stdin and the password on stdin.');
  }
  const first = await terminal.askSecret('Password', tooShort);
  if (first === undefined) throw usageError('No password was given, so nothing was changed.');
  const second = await terminal.askSecret('Password, once more', (text) =>
    text === first ? undefined : 'The two are not the same',
  );
  if (second === undefined) throw usageError('No password was given, so nothing was changed.');
  return first;
}

function tooShort(text: string): string | undefined {
  return [...text.normalize('NFC')].length < MIN_LENGTH ? `At least ${MIN_LENGTH} characters` : undefined;
}
