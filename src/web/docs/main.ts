/**
 * The manual's script: its search. Pages are complete without it. The index and the API's operations are loaded when
 * the search first gets the focus. Results are inserted as text, never as markup.
 */
import './docs.css';
import { type Hit, type Section, search } from './search.ts';

const form = element<HTMLFormElement>('#search');
const input = element<HTMLInputElement>('#search input');
const results = element('#hits');
let index: Promise<readonly Section[]> | undefined;

function element<T extends HTMLElement = HTMLElement>(selector: string): T {
  const found = document.querySelector<T>(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}

/** An address that the page itself has: a static site has its own. */
function addressOf(name: 'index' | 'operations' | 'reference'): string {
  const address = form.dataset[name];
  if (address === undefined) throw new Error(`The search has no data-${name}`);
  return address;
}

async function loadIndex(): Promise<readonly Section[]> {
  const [manual, reference] = await Promise.all([
    getJson<readonly Section[]>(addressOf('index')),
    loadReference(addressOf('operations'), addressOf('reference')),
  ]);
  return [...manual, ...reference];
}

async function getJson<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return (await answer.json()) as T;
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
}

/** The operations of the API, each with its place in the reference. Without them the search covers only the manual. */
async function loadReference(operationsAt: string, page: string): Promise<readonly Section[]> {
  try {
    const { paths } = await getJson<OpenApi>(operationsAt);
    return Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { operationId, tags, summary = '', description = '' }]) => {
        const [tag] = tags ?? [];
        if (operationId === undefined || tag === undefined) return [];
        const address = `${page}#/${encodeURIComponent(tag)}/${operationId}`;
        const heading = `${method.toUpperCase()} ${path}`;
        return [{ address, page: 'API reference', heading, text: `${summary} ${description}`.trim() }];
      }),
    );
  } catch {
    return [];
  }
}

async function show(): Promise<void> {
  const question = input.value;
  if (question.trim() === '') {
    results.hidden = true;
    return;
  }
  index ??= loadIndex();
  try {
    const hits = search(await index, question);
    // The input may have changed while the index was loading.
    if (input.value === question) present(hits, question);
  } catch {
    index = undefined;
    presentText('The search could not be loaded. Type again to retry.');
  }
}

function present(hits: readonly Hit[], question: string): void {
  if (hits.length === 0) {
    presentText(`Nothing has all of “${question.trim()}”.`);
    return;
  }
  const list = document.createElement('ol');
  for (const hit of hits) list.append(itemOf(hit));
  results.replaceChildren(list);
  results.hidden = false;
}

function presentText(text: string): void {
  const line = document.createElement('p');
  line.setAttribute('role', 'status');
  line.textContent = text;
  results.replaceChildren(line);
  results.hidden = false;
}

function itemOf({ address, page, heading, excerpt }: Hit): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const title = document.createElement('strong');
  title.textContent = heading;
  const where = document.createElement('span');
  where.className = 'where';
  where.textContent = page === heading ? '' : page;
  const text = document.createElement('span');
  text.className = 'excerpt';
  excerpt.forEach((piece, at) => {
    const part = document.createElement(at % 2 === 1 ? 'mark' : 'span');
    part.textContent = piece;
    text.append(part);
  });
  link.append(title, where, text);
  item.append(link);
  return item;
}

function close(): void {
  input.value = '';
  results.hidden = true;
}

form.hidden = false;
input.addEventListener('input', () => void show());
input.addEventListener('focus', () => {
  index ??= loadIndex();
  index.catch(() => {
    index = undefined;
  });
});
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
results.addEventListener('click', ({ target }) => {
  if (target instanceof Element && target.closest('a')) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && !results.hidden) {
    close();
    input.focus();
  }
  const isTyping = event.target instanceof HTMLInputElement;
  if (event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    input.focus();
  }
});
