/**
 * What an automation was when a run began: the parts that decide what its runs do. Its name and its variables are in
 * each trace. Runs of the same definition share one row of history.db, which is found by its hash. As in the steps of a
 * trace, credentials and the ids of webhooks are left out: a change of these alone makes no other definition.
 */
import { createHash } from 'node:crypto';
import type { NativeSource, Program } from '../program.ts';
import { withoutCredentials, withoutWebhookIds } from '../secrets.ts';

export type RunDefinition =
  | ({ readonly kind: 'flow' } & Pick<Program, 'mode' | 'maxRunning' | 'triggers' | 'conditions' | 'actions'>)
  | ({ readonly kind: 'native' } & NativeSource);

/** A program never changes: an automation that is changed becomes another one. */
const hashes = new WeakMap<Program, string>();

/** @returns `undefined` for a native automation whose run began under a version of hearthd that did not store it */
export function definitionOf(program: Program): RunDefinition | undefined {
  const { kind, mode, maxRunning, triggers, conditions, actions, native } = program;
  if (kind === 'flow') {
    return withoutCredentials(withoutWebhookIds({ kind, mode, maxRunning, triggers, conditions, actions }));
  }
  return native && { kind, trigger: native.trigger, actions: native.actions };
}

export function definitionText(program: Program): string | undefined {
  return JSON.stringify(definitionOf(program));
}

export function definitionHash(program: Program): string | undefined {
  const known = hashes.get(program);
  if (known !== undefined) return known;
  const text = definitionText(program);
  if (text === undefined) return undefined;
  const hash = createHash('sha256').update(text).digest('base64url');
  hashes.set(program, hash);
  return hash;
}

/** A definition corrupted on disk counts as not kept. */
export function readDefinition(text: string): RunDefinition | undefined {
  try {
    const definition: RunDefinition | null = JSON.parse(text);
    const isKnown = definition?.kind === 'flow' || (definition?.kind === 'native' && 'trigger' in definition);
    return isKnown && Array.isArray(definition.actions) ? definition : undefined;
  } catch {
    return undefined;
  }
}
