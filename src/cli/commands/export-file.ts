import { closeSync, openSync, writeFileSync } from 'node:fs';
import { messageOf } from '../../kernel/errors.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** Private to the user: the file reveals when people are at home. */
const FILE_MODE = 0o600;

/** Writes an export to a new file. @returns what `run` returns. */
export async function exportTo<T>(path: string, run: (write: (text: string) => void) => Promise<T>): Promise<T> {
  const orFail = <T>(act: () => T): T => {
    try {
      return act();
    } catch (error) {
      throw new CliError(EXIT.failed, 'not_written', `Cannot write ${path}: ${messageOf(error)}.`, { cause: error });
    }
  };
  const file = orFail(() => openSync(path, 'w', FILE_MODE));
  try {
    return await run((text) => orFail(() => writeFileSync(file, text)));
  } finally {
    closeSync(file);
  }
}
