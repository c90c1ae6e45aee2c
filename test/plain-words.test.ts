/**
 * Keeps words out that a reader has to guess: metaphors ("the house", "hurry"), spoken verbs for what code does
 * ("tell", "say", "hear") and relative pronouns for people ("whoever"). In `src` and the documents all text counts:
 * names, comments, messages. In tests, names, titles and comments count. CONTRIBUTING.md has the words to use instead.
 */
import { parseSync, Visitor } from 'rolldown/utils';
import { describe, expect, it } from 'vitest';
import { listTextFiles, type TextFile } from './docs/repository-files.ts';

const BANNED = [
  'told|tells?|telling',
  'says?|said|saying',
  'hears?|heard|hearing',
  'whoever|whatever|whomever|nobody|somebody|anybody|everybody',
  'houses?|crowds?|labs?|grounds?|neighbours?|neighbourhood|happenings?',
  'hurry|hurries|hurried|wish|wishes|wished|unwished|mends?|mended|sighted|shall|anew|figures',
].join('|');

/** Phrases with a term of their own: authorize, remove access, trigger. */
const BANNED_PHRASES = ['lets? in', 'let into', 'shut(?:s|ting)? out', 'sets? (?:it |them |each other )?off'].join('|');

/** What the words may stand in, and why. */
const ALLOWED: readonly { readonly text: RegExp; readonly in: RegExp; readonly reason: string }[] = [
  { text: /demo house/gi, in: /./, reason: 'the name of what `npm run demo` starts' },
  { text: /\bHouse\b/g, in: /^src\/web\/.*\.tsx?$/, reason: 'an icon of lucide-react' },
  { text: /house icon/g, in: /texts\/en\/pair\.json$/, reason: 'the picture on a HomeKit label is a house' },
  { text: /parents’ house/g, in: /texts\/en\/groups\.json$/, reason: 'a real house' },
  { text: /home\/ground-floor/g, in: /openapi\/resources\/mqtt\.ts$/, reason: 'an example of a topic: a floor' },
  { text: /\bfigures: count\b/g, in: /cli\/commands\/metrics\.ts$/, reason: 'the output of `--json`' },
  { text: /nobody_signs_in/g, in: /./, reason: 'a reason code of the API' },
  { text: /openWorldHint/g, in: /./, reason: 'a field of MCP' },
];

const MAX_COLUMNS = 120;

const WRITTEN = /^(?:src\/.*\.(?:tsx?|json|md|css|html)|systemd\/.*|test\/README\.md|[A-Z]+\.md)$/;
/** German, and what a program writes. */
const NOT_ENGLISH = /(?:^|\/)de(?:\/|\.tsx?$)|\/graphql-env\.d\.ts$|\/catalogues\.d\.ts$/;

/** `isHeard`, `is_heard` and `IS_HEARD` as words. */
function asWords(text: string): string {
  return text.replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').replaceAll('_', ' ');
}

function bannedWords(text: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${text})(?!\p{L})`, 'giu');
}

const WORDS_AND_PHRASES = bannedWords(`${BANNED}|${BANNED_PHRASES}`);

/** To leave out most files before they are parsed. */
const MAYBE_BANNED = new RegExp(`${BANNED}|${BANNED_PHRASES}`, 'i');

function withoutAllowed({ path, text }: TextFile): string {
  return ALLOWED.reduce((left, allowed) => (allowed.in.test(path) ? left.replaceAll(allowed.text, '') : left), text);
}

/** The lines that use a banned word, each as `path:line: word`. */
function findingsIn(file: TextFile): string[] {
  const text = asWords(withoutAllowed(file));
  return [...text.matchAll(WORDS_AND_PHRASES)].map(
    ({ 0: word, index }) => `${file.path}:${text.slice(0, index).split('\n').length}: ${word}`,
  );
}

type Node = { readonly type: string; readonly start: number; readonly end: number } & Readonly<Record<string, unknown>>;

/** Whether it is `it`, `describe.each`, `it.skipIf(…)` and the like. */
function isTest(callee: unknown): boolean {
  const { type, name, object, callee: inner } = callee as Node;
  if (type === 'Identifier') return ['it', 'test', 'describe'].includes(String(name));
  return (type === 'MemberExpression' && isTest(object)) || (type === 'CallExpression' && isTest(inner));
}

/** The texts of a title, or of the rows of a table for `each`: those of more than one word. */
function titlesIn(node: Node, text: string): readonly Node[] {
  if (node.type === 'TemplateLiteral') return [node];
  if (node.type === 'Literal') return text.slice(node.start, node.end).includes(' ') ? [node] : [];
  const inner =
    node.type === 'ArrayExpression' ? node.elements : node.type === 'ObjectExpression' ? node.properties : [];
  const value = node.type === 'Property' ? [node.value] : [];
  return [...(inner as Node[]), ...(value as Node[])].flatMap((one) => (one ? titlesIn(one, text) : []));
}

/** The names, titles of tests and comments of a test file, as far as they can hold a banned word. */
function wordingIn({ path, text }: TextFile): readonly { readonly text: string; readonly at: number }[] {
  const found: { text: string; at: number }[] = [];
  const add = (start: number, end: number) => {
    const part = text.slice(start, end);
    if (MAYBE_BANNED.test(part)) found.push({ text: part, at: start });
  };
  const addName = ({ name, start }: { readonly name: string; readonly start: number }) =>
    add(start, start + name.length);
  const visitor = new Visitor({
    Identifier: addName,
    PrivateIdentifier: ({ name, start }) => add(start, start + name.length + 1),
    CallExpression({ callee, arguments: [first] }) {
      if (!first || !isTest(callee)) return;
      for (const { start, end } of titlesIn(first as unknown as Node, text)) add(start, end);
    },
  });
  const { program, comments } = parseSync(path, text);
  visitor.visit(program);
  for (const { start, end } of comments) add(start, end);
  return found;
}

function findingsInTest(file: TextFile): string[] {
  const text = withoutAllowed(file);
  if (!MAYBE_BANNED.test(text)) return [];
  return wordingIn({ path: file.path, text }).flatMap((named) =>
    [...asWords(named.text).matchAll(WORDS_AND_PHRASES)].map(
      ([word]) => `${file.path}:${text.slice(0, named.at).split('\n').length}: ${word} in ${named.text}`,
    ),
  );
}

describe('plain words', () => {
  it('no source, text or document uses a banned word', () => {
    const files = listTextFiles(WRITTEN).filter(({ path }) => !NOT_ENGLISH.test(path));
    expect(files.length).toBeGreaterThan(1_000);
    expect(files.flatMap(findingsIn)).toEqual([]);
  });

  it('no name, title or comment of a test uses a banned word', () => {
    const files = listTextFiles(/^test\/.*\.tsx?$/).filter(({ path }) => path !== 'test/plain-words.test.ts');
    expect(files.length).toBeGreaterThan(500);
    expect(files.flatMap(findingsInTest)).toEqual([]);
  });

  it('no comment is wider than 120 columns', () => {
    const comment = /^\s*\{?(?:\/\/|\/?\*)/;
    const findings = listTextFiles(/^(?:src|test)\/.*\.tsx?$/).flatMap(({ path, text }) =>
      text
        .split('\n')
        .filter((line) => line.length > MAX_COLUMNS && comment.test(line))
        .map((line) => `${path}: ${line}`),
    );
    expect(findings).toEqual([]);
  });

  it.each([
    ['const isHeard = true;', 1],
    ["it('hears nothing of it', () => {});", 1],
    ["it.each([['the house is on fire', 1]])('%s', () => {});", 1],
    ['// Tells the caller.', 1],
    ["const name = 'Nobody';", 0],
  ])('finds the banned words of %j in a test: %i', (text, count) => {
    expect(findingsInTest({ path: 'some.test.ts', text })).toHaveLength(count);
  });

  it.each([
    ['/** Tells the caller. */', 1],
    ['const isHeard = NOT_TOLD;', 2],
    ['any of them sets it off', 1],
    ['the threshold of a greenhouse', 0],
  ])('finds the banned words of %j in a source: %i', (text, count) => {
    expect(findingsIn({ path: 'src/some.ts', text })).toHaveLength(count);
  });
});
