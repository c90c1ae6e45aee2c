/** Whether tests that a table or a page names are there. */
import { existsSync, readFileSync } from 'node:fs';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Whether a test or a group of tests has this title: what is skipped, commented out or only mentioned has not. */
export function hasTest(source: string, title: string): boolean {
  const code = source.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  return new RegExp(`(?:\\b(?:it|describe)(?:\\.concurrent)?\\(|\\)\\()\\s*(['"\`])${escaped(title)}\\1\\s*,`).test(
    code,
  );
}

/** @param path of the file @returns a sentence for each title that the file has not */
export function missingTests(path: string, titles: readonly string[]): readonly string[] {
  if (!existsSync(path)) return [`${path} is gone`];
  const source = readFileSync(path, 'utf8');
  return titles.filter((title) => !hasTest(source, title)).map((title) => `${path} has no test "${title}"`);
}
