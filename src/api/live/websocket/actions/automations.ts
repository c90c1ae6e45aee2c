/** Scenes and native automations; and test runs, for flows as well. */
import { z } from 'zod';
import { AutomationChanges, NewAutomation } from '../../../../contract/automations.ts';
import { NewScene, SceneChanges } from '../../../../contract/scenes.ts';
import { presentAutomation } from '../../../present/automation.ts';
import { presentAdmission } from '../../../present/flow.ts';
import { presentExecution, presentScene } from '../../../present/scene.ts';
import { action, inputAction, type SocketAction } from './action.ts';
import { InHome } from './layout.ts';

const OfScene = z.object({ sceneId: z.string() });
const OfAutomation = z.object({ automationId: z.string() });

export const SCENE_ACTIONS = {
  'scenes.list': action(InHome, ({ homeId }, { caller, deps }) => ({
    homeId: homeId ?? null,
    scenes: deps.scenes.list(caller, homeId ?? undefined).map((scene) => presentScene(scene, deps)),
  })),
  'scene.execute': action(OfScene, async ({ sceneId }, { caller, deps: { scenes } }) =>
    presentExecution(await scenes.execute(caller, sceneId)),
  ),
  'scene.create': inputAction(z.object(NewScene.shape), (scene, { caller, deps }) =>
    presentScene(deps.scenes.create(caller, scene), deps),
  ),
  'scene.update': inputAction(
    z.object({ ...OfScene.shape, ...SceneChanges.shape }),
    ({ sceneId, ...changes }, { caller, deps }) => presentScene(deps.scenes.update(caller, sceneId, changes), deps),
  ),
  'scene.delete': action(OfScene, ({ sceneId }, { caller, deps: { scenes } }) => {
    const { id } = scenes.get(caller, sceneId);
    scenes.delete(caller, id);
    return { success: true, sceneId: id };
  }),
} satisfies Readonly<Record<string, SocketAction>>;

export const AUTOMATION_ACTIONS = {
  'automations.list': action(InHome, ({ homeId }, { caller, deps: { automations, state } }) => ({
    homeId: homeId ?? null,
    automations: automations.list(caller, homeId ?? undefined).map((one) => presentAutomation(one, state)),
  })),
  'automation.get': action(OfAutomation, ({ automationId }, { caller, deps: { automations, state } }) => ({
    automation: presentAutomation(automations.get(caller, automationId), state),
  })),
  'automation.create': action(z.object(NewAutomation.shape), (input, { caller, deps: { automations, state } }) =>
    presentAutomation(automations.create(caller, input), state),
  ),
  'automation.update': action(
    z.object({ ...OfAutomation.shape, ...AutomationChanges.shape }),
    ({ automationId, ...changes }, { caller, deps: { automations, state } }) =>
      presentAutomation(automations.update(caller, automationId, changes), state),
  ),
  'automation.delete': action(OfAutomation, ({ automationId }, { caller, deps: { automations } }) => {
    const { id } = automations.get(caller, automationId);
    automations.delete(caller, id);
    return { success: true, automationId: id };
  }),
  'automation.enable': setEnabled(true),
  'automation.disable': setEnabled(false),
  'automation.test': action(
    z.object({ automationId: z.string(), variables: z.unknown().optional() }),
    ({ automationId, variables }, { caller, deps: { programs } }) =>
      presentAdmission(programs.run(caller, automationId, { variables })),
  ),
} satisfies Readonly<Record<string, SocketAction>>;

function setEnabled(enabled: boolean): SocketAction {
  return action(OfAutomation, ({ automationId }, { caller, deps: { automations, state } }) =>
    presentAutomation(automations.setEnabled(caller, automationId, enabled), state),
  );
}
