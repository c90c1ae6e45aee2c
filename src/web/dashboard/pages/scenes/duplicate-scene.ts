/** Makes an own scene of a built-in one, with the actions that it has at this moment. */
import detailTexts from 'texts:scene-details';
import scenesTexts from 'texts:scenes';
import { ask } from '../../api/client.ts';
import { present } from '../../api/graphql.ts';
import { refresh } from '../../api/query.ts';
import { textsNow } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';
import { CreateScene, ScenesQuery } from './scene-documents.ts';
import { draftOf, presentActions } from './scene-draft.ts';

/** @param name of the scene, in the language of the page @returns the id of the new scene; a toast shows the error */
export async function duplicateScene(homeId: string, sceneId: string, name: string): Promise<string | undefined> {
  try {
    const scenes = present((await ask(ScenesQuery, { homeId })).scenes);
    const scene = scenes.find(({ id }) => id === sceneId);
    if (!scene) {
      showToast({ tone: 'bad', text: textsNow(detailTexts).nothingToDuplicate({ name }) });
      return undefined;
    }
    const free = freeName(
      name,
      scenes.map((one) => one.name),
    );
    const { icon, color } = scene;
    const created = await ask(CreateScene, {
      ...{ homeId, name: free, icon, color },
      actions: presentActions(draftOf(scene)),
    });
    refresh('scenes', 'inventory');
    showToast({ text: textsNow(scenesTexts).made({ name: free }) });
    return created.createScene?.id;
  } catch (error) {
    showToast({ tone: 'bad', text: errorText(error) });
    return undefined;
  }
}

/** "Good Night 2"; the plain name belongs to the built-in scene. */
export function freeName(name: string, taken: readonly string[]): string {
  const keys = new Set(taken.map((one) => one.toLowerCase()));
  for (let count = 2; ; count += 1) {
    const free = `${name} ${count}`;
    if (!keys.has(free.toLowerCase())) return free;
  }
}
