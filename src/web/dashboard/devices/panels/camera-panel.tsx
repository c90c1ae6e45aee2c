import { usePanelWords } from './panel.ts';

/** The relay moves no pictures: it says where they are. */
export function CameraPanel() {
  const { t } = usePanelWords();
  return <p style={{ margin: 0 }}>{t.camera}</p>;
}
