/** What a card and its menu know of a person, and the dialogs that they open. */
import type { AnyPerson, HomeMember, Person } from './use-people.ts';

export type OpenedDialog =
  | { readonly what: 'invite' | 'account' }
  /** `member`: whom the person is made for. */
  | { readonly what: 'add'; readonly member?: HomeMember }
  | { readonly what: 'rename' | 'phone' | 'link'; readonly person: Person }
  | { readonly what: 'rename-account' | 'password'; readonly id: string; readonly name: string };

export interface PersonProps {
  readonly one: AnyPerson;
  readonly presences: readonly Person[];
  readonly members: readonly HomeMember[];
  readonly onOpen: (opened: OpenedDialog) => void;
}
