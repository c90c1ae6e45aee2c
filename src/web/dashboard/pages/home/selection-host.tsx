/** Shows the actions for selected tiles on the page that has it, and ends the selection when the page goes. */
import { Suspense, useEffect } from 'react';
import { lazyPart } from '../../ui/load-part.ts';
import { endSelection, useSelection } from './selection.ts';

const HomeSelection = lazyPart(() => import('./select/home-selection.tsx'), 'HomeSelection');

export function SelectionHost() {
  const selection = useSelection();
  useEffect(() => endSelection, []);
  if (!selection) return null;
  return (
    <Suspense>
      <HomeSelection selection={selection} />
    </Suspense>
  );
}
