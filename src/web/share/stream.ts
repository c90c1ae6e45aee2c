/** Keeps the share's stream open while the page is open, and shows when it can't. */
import { type LiveView, setHidden, setText } from './view.ts';

/** The relay refused the stream: it may be full, or the share closed. */
const ASK_AGAIN_MS = 10_000;
const CLOSED = [401, 403, 404];

export function followStream(root: HTMLElement, address: string, show: (view: LiveView) => void): void {
  const line = root.querySelector<HTMLElement>('.live');
  let last: LiveView | undefined;
  const write = (text: string): void => {
    setText(line, text);
    setHidden(line, text === '');
  };
  const open = (): void => {
    const source = new EventSource(`${address}/events?view=page&lang=${document.documentElement.lang}`);
    source.addEventListener('open', () => write(''));
    source.addEventListener('state', ({ data }: MessageEvent<string>) => {
      last = JSON.parse(data) as LiveView;
      show(last);
    });
    source.addEventListener('end', ({ data }: MessageEvent<string>) => {
      if ((JSON.parse(data) as { reason: string }).reason !== 'closed') return;
      source.close();
      location.reload();
    });
    source.addEventListener('error', () => {
      write(root.dataset.lost ?? '');
      // Otherwise the browser reconnects by itself.
      if (source.readyState === EventSource.CLOSED) setTimeout(() => void askAgain(), ASK_AGAIN_MS);
    });
  };
  const askAgain = async (): Promise<void> => {
    const status = await fetch(address, { headers: { Accept: 'application/json' } }).then(
      (answer) => answer.status,
      () => 0,
    );
    if (CLOSED.includes(status)) location.reload();
    else open();
  };
  // Updates that arrived during the use of a control are shown afterwards.
  root.addEventListener('settled', () => last && show(last));
  open();
}
