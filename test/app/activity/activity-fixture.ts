/** A sample home whose activity is recorded, and what its log has. */
import type { ActivityRecord } from '../../../src/contract/activity.ts';
import { type AutomationHomeOptions, createAutomationHome } from '../../support/automation-home.ts';
import { callerOf, systemCaller } from '../../support/test-home.ts';

/** Of the sample accessories. */
export const LAMP_DEVICE = '10:00:00:00:00:01';
export const LOCK_DEVICE = '10:00:00:00:00:03';
export const MOTION_DEVICE = '10:00:00:00:00:04';
export const BUTTON_DEVICE = '10:00:00:00:00:05';

export type ActiveHome = ReturnType<typeof openActiveHome>;

export function openActiveHome(options: AutomationHomeOptions & { readonly records?: boolean } = {}) {
  const home = createAutomationHome({ sample: true, ...options });
  const homeId = home.home.id;
  if (options.records ?? true) home.history.setEnabled(systemCaller, homeId, true);
  const list = (query = {}): Promise<readonly ActivityRecord[]> => home.activity.list(systemCaller, query);
  return {
    ...home,
    homeId,
    automationCaller: (automationId: string, requestId = 'run') => ({
      ...callerOf({ kind: 'automation', automationId, homeId }),
      requestId,
    }),
    list,
    /** `Lamp on: user Ann`, newest first. */
    lines: async (query = {}): Promise<readonly string[]> => (await list(query)).map(lineOf),
    /** Switches the lamp of the sample home. */
    switchLamp: (caller = systemCaller, on = true) =>
      home.control.setProperties(caller, [{ accessoryId: home.named('Lamp').id, settings: { on } }]),
  };
}

function lineOf({ subject, value, actor }: ActivityRecord): string {
  return `${subject.name} ${value}: ${actor.kind}${actor.name === null ? '' : ` ${actor.name}`}`;
}
