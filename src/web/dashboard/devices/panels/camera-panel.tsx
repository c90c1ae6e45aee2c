import { usePanelWords } from './panel.ts';

/** The relay does not stream video; the panel explains where to find it. */
export function CameraPanel() {
  const { t } = usePanelWords();
  return <p style={{ margin: 0 }}>{t.camera}</p>;
}
