/** Lists what an app or an access token created that outlives it, for the question before it is revoked. */

import appsTexts from 'texts:apps';
import { useTexts } from '../../../texts/texts.ts';

export interface MadeThing {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

interface MadeListProps {
  readonly lead: string;
  readonly made: readonly MadeThing[];
}

export function MadeList({ lead, made }: MadeListProps) {
  const { made: kinds } = useTexts(appsTexts);
  if (made.length === 0) return null;
  return (
    <>
      <p>{lead}</p>
      <ul>
        {made.map(({ kind, id, name }) => (
          <li key={id}>
            {Object.hasOwn(kinds, kind) ? kinds[kind as keyof typeof kinds] : kind}: <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}
