/** Short messages at the edge of the page: a completed action with undo, or an error. Screen readers announce them. */

import commonTexts from 'texts:common';
import { CloseButton } from '@mantine/core';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useTexts } from '../texts/texts.ts';
import classes from './toasts.module.css';

export interface Toast {
  readonly text: string;
  readonly tone?: 'neutral' | 'bad';
  /** A follow-up action: Undo, Try again. */
  readonly action?: ToastAction;
  /** Several: the buttons of a notification. */
  readonly actions?: readonly ToastAction[];
}

interface ToastAction {
  readonly label: string;
  run(): void;
}

/** Long enough to read and to reach Undo; nothing is lost when the toast goes. */
const SHOWN_MS = 8_000;
const MAX_SHOWN = 3;

interface Shown extends Toast {
  readonly id: number;
}

let shown: readonly Shown[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Shown[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/** A repeated text shows one toast. */
export function showToast(toast: Toast): void {
  lastId += 1;
  set([...shown.filter(({ text }) => text !== toast.text), { ...toast, id: lastId }].slice(-MAX_SHOWN));
}

function dismiss(id: number): void {
  set(shown.filter((toast) => toast.id !== id));
}

export function Toasts() {
  const toasts = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
  return (
    <div className={classes.toasts} role="status" aria-live="polite">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** While the relay is away, a toast closes by its button and after its time alone. */
function keepClear(toast: HTMLElement | null): void {
  import('./toast-room.ts').then(({ keepToastClear }) => keepToastClear(toast)).catch(() => undefined);
}

function ToastCard({ toast: { id, text, tone, action, actions = action ? [action] : [] } }: { toast: Shown }) {
  const t = useTexts(commonTexts);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismiss(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, isHeld]);
  const hold = () => setHeld(true);
  const letGo = () => setHeld(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the interaction only keeps it visible.
    <div
      ref={keepClear}
      className={classes.toast}
      data-tone={tone}
      data-acts={actions.length > 0 || undefined}
      onPointerEnter={hold}
      onPointerLeave={letGo}
      onFocus={hold}
      onBlur={letGo}
    >
      <span className={classes.text}>{text}</span>
      <span className={classes.acts}>
        {actions.map(({ label, run }, index) => (
          <button
            key={index}
            type="button"
            className={classes.action}
            onClick={() => {
              dismiss(id);
              run();
            }}
          >
            {label}
          </button>
        ))}
        <CloseButton aria-label={t.close} onClick={() => dismiss(id)} className={classes.close ?? ''} />
      </span>
    </div>
  );
}
