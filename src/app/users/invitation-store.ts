import { emailKey } from '../../contract/account-fields.ts';
import type { Database } from '../../storage/database.ts';
import type { Role } from '../access/caller.ts';

/** An invitation to a home, as stored. Times in milliseconds since the epoch. */
export interface StoredInvitation {
  readonly id: string;
  readonly homeId: string;
  readonly email: string;
  readonly role: Role;
  /** The invited user, if they had an account; they accept it signed in. */
  readonly userId: string | null;
  /** For people without an account: SHA-256 of the code in the link, hex. */
  readonly codeHash: string | null;
  /** `null`: the CLI invited. */
  readonly inviterId: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** When the relay first saw it expired. A clock set back later does not revive it. */
  readonly expiredAt: number | null;
}

interface InvitationRow {
  id: string;
  home_id: string;
  email: string;
  role: Role;
  user_id: string | null;
  code_hash: string | null;
  inviter_id: string | null;
  created_at: number;
  expires_at: number;
  expired_at: number | null;
}

/** The table `invitations`. */
export class InvitationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Oldest first. */
  list(): readonly StoredInvitation[] {
    return this.#database
      .prepare<[], InvitationRow>('SELECT * FROM invitations ORDER BY created_at, id')
      .all()
      .map(toInvitation);
  }

  listOfHome(homeId: string): readonly StoredInvitation[] {
    return this.list().filter((invitation) => invitation.homeId === homeId);
  }

  listOfUser(userId: string): readonly StoredInvitation[] {
    return this.list().filter((invitation) => invitation.userId === userId);
  }

  findByCode(codeHash: string): StoredInvitation | undefined {
    const row = this.#database
      .prepare<[string], InvitationRow>('SELECT * FROM invitations WHERE code_hash = ?')
      .get(codeHash);
    return row && toInvitation(row);
  }

  /** Inserts it; replaces one to the same home for the same address. */
  save(invitation: StoredInvitation): void {
    const key = emailKey(invitation.email);
    this.#database.transaction(() => {
      this.#database.prepare('DELETE FROM invitations WHERE home_id = ? AND email_key = ?').run(invitation.homeId, key);
      this.#database
        .prepare(
          `INSERT INTO invitations (id, home_id, email, email_key, role, user_id, code_hash, inviter_id, created_at, expires_at)
           VALUES (@id, @homeId, @email, @key, @role, @userId, @codeHash, @inviterId, @createdAt, @expiresAt)`,
        )
        .run({ ...invitation, key });
    })();
  }

  setExpired(id: string, at: number): void {
    this.#database.prepare('UPDATE invitations SET expired_at = ? WHERE id = ?').run(at, id);
  }

  setRole(id: string, role: Role, inviterId: string | null): void {
    this.#database.prepare('UPDATE invitations SET role = ?, inviter_id = ? WHERE id = ?').run(role, inviterId, id);
  }

  /** @returns whether it existed. */
  delete(id: string): boolean {
    return this.#database.prepare('DELETE FROM invitations WHERE id = ?').run(id).changes > 0;
  }
}

function toInvitation(row: InvitationRow): StoredInvitation {
  return {
    id: row.id,
    homeId: row.home_id,
    email: row.email,
    role: row.role,
    userId: row.user_id,
    codeHash: row.code_hash,
    inviterId: row.inviter_id,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    expiredAt: row.expired_at,
  };
}
