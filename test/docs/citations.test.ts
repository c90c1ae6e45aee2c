/**
 * The repository's references to itself: cited sections exist, links lead somewhere, and nothing refers to files
 * outside it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorOf, headingsOf, linksIn, listTextFiles, ROOT, type TextFile } from './repository-files.ts';

const CONTRACT = { api: 'api.md', decisions: 'decisions.md', 'wire-facts': 'wire-facts.md' } as const;
type Document = keyof typeof CONTRACT;

/** Addresses of the daemon that pages may link to. */
const ADDRESSES = new Set(['/docs', '/docs/api', '/graphiql', '/openapi.json']);

/**
 * `API §4.1`, `wire-facts §5 item 2`, `decisions §2 and §5`, `wire-facts §4.2–4.4`, `API §2.4 (PlatformAutomation),
 * §3`.
 */
const CITATION =
  /\b(API|decisions|wire[- ]facts)(?: document)?(?:[’']s|,)? \(?§ ?(\d[\d.]*)((?:(?: \([^()]*\))?(?:,| and| or| to|;|–| –) ?§? ?\d[\d.]*(?![\d-]*\w))*)/gi;

/** What a text cites: `['api', '4.1']`. */
function citationsIn(text: string): readonly (readonly [Document, string])[] {
  return [...text.matchAll(CITATION)].flatMap(([, name = '', first = '', rest = '']) => {
    const document = name.toLowerCase().replace(' ', '-') as Document;
    const further = [...rest.matchAll(/(?:§|–) ?(\d[\d.]*)/g)].map(([, number = '']) => number);
    return [first, ...further].map((number) => [document, number.replace(/\.$/, '')] as const);
  });
}

function sectionsOf(document: Document): ReadonlySet<string> {
  const text = readFileSync(join(ROOT, 'src/docs/contract', CONTRACT[document]), 'utf8');
  return new Set(headingsOf(text).map((heading) => /^[\d.]+/.exec(heading)?.[0] ?? heading));
}

/** Relative paths in quotes, as seen from the folder of the file; scripts of the CI work in the root. */
function pathsBeside({ path, text }: TextFile): readonly string[] {
  const folder = join(ROOT, path === '.ci/run' ? '' : dirname(path));
  return [...text.matchAll(/['"`(](\.\.\/[^'"`)$\s]*)/g)].map(([, target = '']) =>
    relative(ROOT, resolve(folder, target)),
  );
}

const files = listTextFiles(/^(?!package-lock\.json)/);
const markdown = files.filter(({ path }) => path.endsWith('.md'));

describe('citations', () => {
  const sections = new Map((Object.keys(CONTRACT) as Document[]).map((document) => [document, sectionsOf(document)]));

  it('a citation of several sections names each of them', () => {
    expect(citationsIn('API §2.4 (PlatformAutomation), §3 and §4.2; wire-facts §4.2–4.4, decisions §8')).toEqual([
      ['api', '2.4'],
      ['api', '3'],
      ['api', '4.2'],
      ['wire-facts', '4.2'],
      ['wire-facts', '4.4'],
      ['decisions', '8'],
    ]);
  });

  it.each(Object.keys(CONTRACT) as Document[])('every cited section of %s exists', (document) => {
    const cited = files.flatMap(({ path, text }) =>
      citationsIn(text).flatMap(([name, number]) => (name === document ? [{ path, number }] : [])),
    );
    expect(cited.length).toBeGreaterThan(50);
    const missing = cited.filter(({ number }) => !sections.get(document)?.has(number));
    expect(missing).toEqual([]);
  });

  it.each(Object.entries(CONTRACT))('the sections of %s are numbered once and in order', (_, file) => {
    const numbers = headingsOf(readFileSync(join(ROOT, 'src/docs/contract', file), 'utf8')).flatMap(
      (heading) => /^[\d.]+/.exec(heading)?.[0] ?? [],
    );
    const inOrder = numbers.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    expect(numbers).toEqual(inOrder);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

describe('links between documents', () => {
  const anchors = new Map(markdown.map(({ path, text }) => [path, new Set(headingsOf(text).map(anchorOf))]));

  it('every link leads to a file of the repository and to a heading in it', () => {
    const broken = markdown.flatMap(({ path, text }) =>
      linksIn(text)
        .filter((target) => !/^(https?|mailto):/.test(target) && !ADDRESSES.has(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#');
          const linked = file === '' ? path : relative(ROOT, resolve(ROOT, dirname(path), file));
          if (!existsSync(join(ROOT, linked))) return true;
          return anchor !== undefined && !anchors.get(linked)?.has(anchor);
        })
        .map((target) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it('no document has the same heading twice: a link could not distinguish them', () => {
    const doubled = markdown.flatMap(({ path, text }) => {
      const seen = headingsOf(text).map(anchorOf);
      return seen.filter((anchor, index) => seen.indexOf(anchor) !== index).map((anchor) => `${path}: ${anchor}`);
    });
    expect(doubled).toEqual([]);
  });
});

describe('the repository', () => {
  it('refers to no file outside it by a relative path', () => {
    const outside = files.flatMap((file) =>
      pathsBeside(file)
        .filter((target) => target.startsWith('..'))
        .map((target) => `${file.path}: ${target}`),
    );
    expect(outside).toEqual([]);
  });

  it('names no folder of the machine that it was written on', () => {
    const folders = [`${ROOT}/`, '/Users/'];
    const named = files
      .filter(({ path }) => path !== relative(ROOT, import.meta.filename))
      .flatMap(({ path, text }) => folders.filter((folder) => namesFolder(text, folder)).map(() => path));
    expect(named).toEqual([]);
  });
});

/** Whether a text has the path, and not as the end of a longer one. */
function namesFolder(text: string, folder: string): boolean {
  return text
    .split(folder)
    .slice(0, -1)
    .some((before) => !/[\w.$}-]$/.test(before));
}
