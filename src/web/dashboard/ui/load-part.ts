/**
 * Parts of the app that are loaded on demand. An updated relay has them under other names, and an unreachable one has
 * none. The page then reloads as soon as the relay answers, and shows the requested part.
 */

import { type ComponentType, createElement, type FunctionComponent, lazy, useState } from 'react';
import { loadTexts } from '../../../texts/texts.ts';
import { languageNow } from '../texts/language.ts';

/** A module that exports a component under this name. */
export type Loaded<Name extends string, Props = never> = Readonly<Record<Name, ComponentType<Props>>>;

const ASK_EVERY_MS = 3_000;

/** Per tab: the time of the last reload after a missing part. Another missing part so soon has another cause. */
const RELOADED_AT = 'hearthd.reloaded-at';
const SOON_MS = 30_000;

export type LazyPart<Props> = FunctionComponent<Props> & {
  /** Loads the part before it renders. @returns when it is loaded or has failed; the error appears when it renders */
  preload(): Promise<void>;
};

export function lazyPart<Props extends object, Name extends string>(
  load: () => Promise<Loaded<Name, Props>>,
  name: Name,
): LazyPart<Props> {
  let loaded: ComponentType<Props> | undefined;
  let coming: Promise<ComponentType<Props>> | undefined;
  const get = () => {
    coming ??= loadOrReload(load).then(async (part) => {
      await loadTexts(languageNow());
      loaded = part[name];
      return loaded;
    });
    return coming;
  };
  const Late = lazy(async () => ({ default: await get() }));
  function Part(props: Props) {
    // A loaded part renders at once: React would keep the loading state on the screen for a third of a second.
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
    // Renders nothing more until the page unloads.
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
