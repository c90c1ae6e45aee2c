/**
 * Parts of the app that are loaded when somebody goes there. A relay that was updated meanwhile has them under other names, and one that
 * is away has none: the page is loaded anew as soon as the relay answers, and shows what was wanted.
 */
import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react';

/** A file that exports a component under this name. */
export type Loaded<Name extends string, Props = never> = Readonly<Record<Name, ComponentType<Props>>>;

const ASK_EVERY_MS = 3_000;

/** Of the tab: when a part was missing the last time. Another one so soon is missing for another reason. */
const RELOADED_AT = 'hearthd.reloaded-at';
const SOON_MS = 30_000;

export type LazyPart<Props> = FunctionComponent<Props> & {
  /** Fetches it before it is shown. @returns when it is there, or is known not to come; what is wrong is told where it is shown */
  preload(): Promise<void>;
};

export function lazyPart<Props extends object, Name extends string>(
  load: () => Promise<Loaded<Name, Props>>,
  name: Name,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;
  const get = () => {
    coming ??= loadOrReload(load).then((part) => {
      loaded = part[name];
      return loaded;
    });
    return coming;
  };
  const Late = lazy(async () => ({ default: await get() }));
  function Part(props: Props) {
    // What is there already is drawn at once: React keeps what was "loading" on the screen for a third of a second.
    const [shown] = useState<ComponentType<Props>>(() => loaded ?? (Late as unknown as ComponentType<Props>));
    return createElement(shown, props);
  }
  return Object.assign(Part, {
    preload: () =>
      get().then(
        () => undefined,
        () => undefined,
      ),
  });
}

async function loadOrReload<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    while (!(await isRelayThere())) await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < SOON_MS) throw error;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    location.reload();
    // Nothing more is drawn before the page goes.
    return new Promise(() => undefined);
  }
}

export async function isRelayThere(): Promise<boolean> {
  try {
    const { ok } = await fetch('/', { headers: { Accept: 'text/html' }, cache: 'no-store' });
    return ok;
  } catch {
    return false;
  }
}
