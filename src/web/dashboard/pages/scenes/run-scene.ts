/** Runs a scene and keeps the result, so that every button of the scene shows the same. */

import scenesTexts from 'texts:scenes';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { ask } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import type { HomeScene } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { textsNow } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';

const ExecuteScene = graphql(`
  mutation ExecuteScene($sceneId: String!) {
    executeScene(sceneId: $sceneId) {
      success
      error
      failed
      outcomes {
        accessoryId
        characteristicType
        success
        error
        code
      }
    }
  }
`);

/** One accessory that failed. */
export interface SceneFailure {
  readonly accessoryId: string;
  readonly name: string;
  /** In the page's language. */
  readonly why: string;
}

export interface SceneRun {
  readonly status: 'running' | 'done' | 'failed';
  /** The number of values set, or to be set. */
  readonly count: number;
  readonly failures: readonly SceneFailure[];
}

/** How long "Done" is shown. */
const SHOWN_MS = 4_000;

const runs = new Map<string, SceneRun>();
const listeners = new Set<() => void>();

function setRun(sceneId: string, run: SceneRun | undefined): void {
  if (run) runs.set(sceneId, run);
  else runs.delete(sceneId);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The current or last run: a success for a moment, a failure until the next run. */
export function useSceneRun(sceneId: string): SceneRun | undefined {
  return useSyncExternalStore(subscribe, () => runs.get(sceneId));
}

/** Never throws: a message lists the failures by accessory. */
export async function runScene({ id, name }: Pick<HomeScene, 'id' | 'name'>): Promise<void> {
  if (runs.get(id)?.status === 'running') return;
  const t = textsNow(scenesTexts);
  setRun(id, { status: 'running', count: 0, failures: [] });
  try {
    const { executeScene: result } = await ask(ExecuteScene, { sceneId: id });
    const outcomes = result?.outcomes ?? [];
    const failures = failuresOf(outcomes);
    const isDone = result?.success === true;
    setRun(id, { status: isDone ? 'done' : 'failed', count: outcomes.length, failures });
    if (!isDone) showToast({ tone: 'bad', text: t.ranPartly({ name, what: failureText(failures, result?.error) }) });
    else setTimeout(() => setRun(id, undefined), SHOWN_MS);
  } catch (error) {
    setRun(id, undefined);
    showToast({ tone: 'bad', text: t.ranPartly({ name, what: errorText(error) }) });
  }
}

interface Outcome {
  readonly accessoryId: string;
  readonly success: boolean;
  readonly error: string | null;
  readonly code?: string | null;
}

/** Each accessory once, with its first error. */
export function failuresOf(
  outcomes: readonly Outcome[],
  nameOf = (id: string) => homeStore.accessory(id)?.name,
): readonly SceneFailure[] {
  const failures = new Map<string, SceneFailure>();
  for (const { accessoryId, success, error, code } of outcomes) {
    if (success || failures.has(accessoryId)) continue;
    failures.set(accessoryId, {
      accessoryId,
      name: nameOf(accessoryId) ?? '?',
      why: errorText(new ApiError(code ?? 'failed', error ?? '')),
    });
  }
  return [...failures.values()];
}

function failureText(failures: readonly SceneFailure[], fallback: string | null | undefined): string {
  return failures.map(({ name }) => name).join(', ') || (fallback ?? '');
}
