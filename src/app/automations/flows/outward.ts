/** Flows that communicate outside the home: external requests run them, or they send requests themselves. */
import type { FlowDefinition } from '../flow.ts';
import { actionsIn, triggersIn } from '../walk.ts';

export function isOutward(definition: Pick<FlowDefinition, 'triggers' | 'actions'>): boolean {
  const isRunFromOutside = [...triggersIn(definition)].some(({ type }) => type === 'webhook');
  return isRunFromOutside || [...actionsIn(definition.actions)].some(({ action }) => action.type === 'fire_webhook');
}
