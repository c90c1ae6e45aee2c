import { MAX_LOCK_PIN, MIN_LOCK_PIN } from '../home/vocabulary/lock-pins.ts';
import { usageError } from './exit-codes.ts';
import type { Terminal } from './terminal.ts';

/** A secret that the user chooses. */
interface SecretKind {
  readonly noun: 'password' | 'passcode' | 'PIN';
  /** The name of its options. */
  readonly option: string;
  /** In characters, like the daemon's limit. The daemon decides; this check only saves a round trip. */
  readonly minLength: number;
  readonly tooShort: string;
}

export const PASSWORD = {
  noun: 'password',
  option: 'password',
  minLength: 8,
  tooShort: 'At least 8 characters',
} as const satisfies SecretKind;
export const PASSCODE = {
  noun: 'passcode',
  option: 'passcode',
  minLength: 4,
  tooShort: 'At least 4 characters; 6 or more is better',
} as const satisfies SecretKind;
export const LOCK_PIN = {
  noun: 'PIN',
  option: 'lock-pin',
  minLength: MIN_LOCK_PIN,
  tooShort: `${MIN_LOCK_PIN} to ${MAX_LOCK_PIN} digits; 6 or more are better`,
} as const satisfies SecretKind;

const TITLES: Readonly<Record<SecretKind['noun'], string>> = { password: 'Password', passcode: 'Passcode', PIN: 'PIN' };

/** The flag of every command with a secret: process lists would show an argument to all users. */
export function stdinOption<Option extends string>({ option, noun }: SecretKind & { readonly option: Option }) {
  return [`--${option}-stdin`, `read the ${noun} from the first line of stdin`] as const;
}

/**
 * Reads a new secret: typed twice without echo, or the first line of stdin.
 * @throws `CliError` no terminal for a prompt, or an empty input
 */
export async function readNewSecret(terminal: Terminal, kind: SecretKind, fromStdin: boolean): Promise<string> {
  const { noun, minLength, tooShort } = kind;
  if (fromStdin) {
    const line = await terminal.readLine();
    if (!line) throw usageError(`stdin contains no ${noun}.`);
    return line;
  }
  if (!terminal.canAsk) {
    throw usageError(`This is not a terminal. Pass the ${noun} on stdin with ${stdinOption(kind)[0]}.`);
  }
  const title = TITLES[noun];
  const first = await terminal.askSecret(title, (text) =>
    [...text.normalize('NFC')].length < minLength ? tooShort : undefined,
  );
  const second =
    first === undefined
      ? undefined
      : await terminal.askSecret(`${title} (repeat)`, (text) =>
          text === first ? undefined : 'The entries do not match',
        );
  if (second === undefined) throw usageError(`No ${noun} entered. Nothing changed.`);
  return second;
}
