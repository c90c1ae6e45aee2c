/** Deletes a scene; undo creates the same scene again. */

import commonTexts from 'texts:common';
import scenesTexts from 'texts:scenes';
import { act, ask } from '../../api/client.ts';
import { refresh } from '../../api/query.ts';
import { textsNow } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { CreateScene, DeleteScene, type Scene } from './scene-documents.ts';
import { draftOf, presentActions } from './scene-draft.ts';

/** @returns whether the scene is deleted; a toast shows the error. */
export async function deleteScene(homeId: string, scene: Scene): Promise<boolean> {
  const restore = () =>
    attempt(() => {
      const { name, icon, color } = scene;
      return ask(CreateScene, { homeId, name, icon, color, actions: presentActions(draftOf(scene)) });
    });
  const isGone = await attempt(() => act(DeleteScene, { sceneId: scene.id }));
  if (isGone) {
    showToast({
      text: textsNow(scenesTexts).deleted({ name: scene.name }),
      action: { label: textsNow(commonTexts).undo, run: () => void restore() },
    });
  }
  return isGone;
}

async function attempt(change: () => Promise<unknown>): Promise<boolean> {
  try {
    await change();
    refresh('scenes', 'inventory');
    return true;
  } catch (error) {
    showToast({ tone: 'bad', text: errorText(error) });
    return false;
  }
}
