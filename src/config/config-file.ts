import { readFileSync } from 'node:fs';
import { parse } from 'smol-toml';
import { messageOf } from '../kernel/errors.ts';

/**
 * Reads a TOML file into its top-level keys.
 * @returns `undefined` if the file does not exist. @throws one line with the file and the error.
 */
export function readConfigFile(path: string): ReadonlyMap<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    // ENOTDIR: the data directory is a file. Opening the directory reports that with a better message.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw new Error(`The configuration file ${path} can't be read: ${messageOf(error)}.`, { cause: error });
  }
  try {
    return new Map(Object.entries(parse(text)));
  } catch (error) {
    // smol-toml's message continues with an excerpt of the line; its first line has the position and the error.
    const [fault = ''] = messageOf(error).split('\n');
    const { line, column } = error as { line?: number; column?: number };
    const place = line === undefined ? '' : ` at line ${line}, column ${column}`;
    throw new Error(`The configuration file ${path} is not valid TOML${place}: ${fault}.`, { cause: error });
  }
}
