/** "+": what one can add to the home, for those who may. The choices are loaded on demand. */
import homeTexts from 'texts:home';
import { Plus } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useRights } from '../../../home/use-home.ts';
import { useTexts } from '../../../texts/texts.ts';
import { lazyPart } from '../../../ui/load-part.ts';
import classes from '../home.module.css';

const AddDialog = lazyPart(() => import('./add-dialog.tsx'), 'AddDialog');

export function AddButton() {
  const t = useTexts(homeTexts);
  const { canManage } = useRights();
  const [isOpen, setOpen] = useState(false);
  // Only managers add things.
  if (!canManage) return null;
  return (
    <>
      <button
        type="button"
        className={classes.tool}
        data-short
        title={t.newThing}
        aria-haspopup="dialog"
        onPointerEnter={() => void AddDialog.preload()}
        onClick={() => setOpen(true)}
      >
        <Plus aria-hidden />
        <span>{t.newThing}</span>
      </button>
      {isOpen && (
        <Suspense>
          <AddDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
