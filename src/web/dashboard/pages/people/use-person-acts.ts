/** The menu of a person: what the user may do with their presence, with their account, and what ends something. */

import commonTexts from 'texts:common';
import peopleTexts from 'texts:people';
import { useAccount } from '../../account/account.ts';
import { act } from '../../api/client.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { confirm } from '../../ui/confirm.ts';
import type { MenuAct } from '../../ui/entries.tsx';
import { DeleteAccount, DeletePerson, RemoveMember, ResetTwoStep } from './documents.ts';
import { freeMembers } from './listed-people.ts';
import type { PersonProps } from './person-props.ts';
import { isLastOwner, mayRemove } from './roles.ts';
import { useLink } from './use-link.ts';

export function usePersonActs(props: PersonProps): readonly MenuAct[] {
  const presence = usePresenceActs(props);
  const account = useAccountActs(props);
  const ends = useEndingActs(props);
  return [...presence, ...account, ...ends];
}

/** Everyone may see how a phone is set up. */
function usePresenceActs({ one, presences, members, onOpen }: PersonProps): readonly MenuAct[] {
  const t = useTexts(peopleTexts);
  const { canManage } = useRights();
  const link = useLink();
  const { presence: person, account } = one;
  if (!person) return [];
  const phone = { label: t.persons.connect, run: () => onOpen({ what: 'phone', person }) };
  if (!canManage) return [phone];
  // Persons and accounts have names of their own: OwnTracks reports by the one, people sign in with the other.
  const rename = {
    label: account ? t.persons.renameTitle : t.rename,
    run: () => onOpen({ what: 'rename', person }),
  };
  const isFree = person.userId === null && freeMembers(presences, members).length > 0;
  const join = isFree ? [{ label: t.link.title, run: () => onOpen({ what: 'link', person }) }] : [];
  const part = person.userId === null ? [] : [{ label: t.link.unlink, run: () => void link(person, undefined) }];
  return [phone, rename, ...join, ...part];
}

/** For the account that claimed the relay. It changes its own password in the settings, with the old one. */
function useAccountActs({ one, onOpen }: PersonProps): readonly MenuAct[] {
  const { accounts: t, rename } = useTexts(peopleTexts);
  const { account, presence, name } = one;
  if (!account) return [];
  const { id, isFounder, hasSecondFactor } = account;
  const own = account.name ?? account.email;
  const turnOff = async () => {
    const { twoStepOffTitle, twoStepOffText: body, twoStepOff: action } = t;
    if (!(await confirm({ title: twoStepOffTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(ResetTwoStep, { userId: id }), 'members', 'account');
  };
  const change = {
    label: presence ? t.renameTitle : rename,
    run: () => onOpen({ what: 'rename-account', id, name: own }),
  };
  if (isFounder) return [change];
  const reset = { label: t.reset, run: () => onOpen({ what: 'password', id, name }) };
  return [change, reset, ...(hasSecondFactor ? [{ label: t.twoStepOff, run: () => void turnOff() }] : [])];
}

function useEndingActs({ one, members }: PersonProps): readonly MenuAct[] {
  const t = useTexts(peopleTexts);
  const common = useTexts(commonTexts);
  const { id: homeId } = useHome();
  const { role: mine, canManage } = useRights();
  const { me } = useAccount();
  const { presence, member, account, userId, isMe, name } = one;
  const removePerson = async ({ id: personId }: { readonly id: string }) => {
    const title = (userId === null ? t.persons.removeTitle : t.persons.removePresenceTitle)({ name });
    if (!(await confirm({ title, body: t.persons.removeText, action: common.remove, isDangerous: true }))) return;
    await attempt(() => act(DeletePerson, { homeId, personId }), 'people');
  };
  const removeMember = async (memberId: string) => {
    const { removeTitle, removeText: body, remove: action } = t.members;
    if (!(await confirm({ title: removeTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(RemoveMember, { homeId, memberId }), 'members', 'shares');
  };
  const leave = async () => {
    const { leaveTitle: title, leaveText: body, leave: action } = t.members;
    if (!(await confirm({ title, body, action, isDangerous: true }))) return;
    await attempt(() => act(RemoveMember, { homeId, memberId: me.id }), 'account', 'members', 'inventory');
  };
  const removeAccount = async (id: string) => {
    const { removeTitle, removeText: body, remove: action } = t.accounts;
    if (!(await confirm({ title: removeTitle({ name }), body, action, isDangerous: true }))) return;
    await attempt(() => act(DeleteAccount, { userId: id }), 'members', 'account', 'shares');
  };
  const acts: MenuAct[] = [];
  const add = (label: string, run: () => Promise<void>) =>
    acts.push({ label, isDangerous: true, run: () => void run() });
  if (presence && canManage) {
    add(userId === null ? common.remove : t.persons.removePresence, () => removePerson(presence));
  }
  if (isMe && !(member && isLastOwner(member, members))) add(t.members.leave, leave);
  if (!isMe && member && mayRemove(mine, member, members)) add(t.members.remove, () => removeMember(member.id));
  if (account && !account.isFounder) add(t.accounts.remove, () => removeAccount(account.id));
  return acts;
}
