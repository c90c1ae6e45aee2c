import editorTexts from 'texts:automation-editor';
import { useHome, useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';

/** Why simple automations can't be changed: a setting of the home can make them read-only (decisions §7). */
export function useNativeRefusal(): string | undefined {
  const t = useTexts(editorTexts);
  const { canManage } = useRights();
  const { privileges } = useHome();
  if (!canManage) return t.notAllowed;
  return privileges === 'view' ? t.locked : undefined;
}
