/** Links a person to a member, or takes the link away; either can be undone at once. */
import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { ask } from '../../api/client.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { showToast } from '../../ui/toasts.tsx';
import { LinkPerson } from './documents.ts';
import type { HomeMember, Person } from './use-people.ts';

/** @returns `link(person, member)`; `undefined` for no account */
export function useLink(): (person: Person, member: HomeMember | undefined) => Promise<void> {
  const { link: t } = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  return async ({ id: personId, name, userId: before }, member) => {
    const set = (userId: string | null) => attempt(() => ask(LinkPerson, { homeId, personId, userId }), 'people');
    if (!(await set(member?.id ?? null))) return;
    const text = member ? t.linked({ name, email: member.email }) : t.unlinked({ name });
    showToast({ text, action: { label: common.undo, run: () => void set(before) } });
  };
}
