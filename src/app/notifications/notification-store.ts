import type { ActivityActor } from '../../contract/activity.ts';
import { CHANNELS, type ChannelName, type NotificationButton } from '../../contract/notifications.ts';
import type { Database } from '../../storage/database.ts';
import type { KeptNotification } from './limits.ts';

/** A notification in the history (API §2.4). */
export interface StoredNotification extends KeptNotification {
  /** UUID, lower case. */
  readonly id: string;
  /** The user it is for; `null` = the home. */
  readonly ownerId: string | null;
  readonly homeId: string | null;
  readonly title: string | null;
  readonly message: string;
  readonly channelsSent: readonly ChannelName[];
  readonly channelsFailed: readonly ChannelName[];
  /** A path of the dashboard, or an http or https address. */
  readonly link: string | null;
  /** What its automation calls it. */
  readonly tag: string | null;
  readonly buttons: readonly NotificationButton[];
  readonly pressed: ButtonPress | null;
}

/** A button that was pressed. */
export interface ButtonPress {
  readonly buttonId: string;
  readonly title: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: ActivityActor;
}

/** A notification, as a caller sees it. */
export interface SeenNotification extends StoredNotification {
  /** `null` for a caller that is no person. */
  readonly isRead: boolean | null;
}

/** Which notifications a caller may see. */
export interface Reach {
  readonly ownerId: string | null;
  readonly homeIds: readonly string[];
  /** Whether notifications without a home and without an owner are included. */
  readonly homeless: boolean;
}

interface NotificationRow {
  id: string;
  owner_id: string | null;
  automation_id: string | null;
  home_id: string | null;
  title: string | null;
  message: string;
  channels_sent: string;
  channels_failed: string | null;
  link: string | null;
  buttons: string | null;
  tag: string | null;
  pressed_button: string | null;
  pressed_at: number | null;
  pressed_by: string | null;
  rate_limited: 0 | 1;
  created_at: number;
}

/** Within @reach: of its homes or of no home; for the home or for the user. */
const WITHIN = `(owner_id IS NULL OR owner_id = @ownerId)
  AND (home_id IN (SELECT value FROM json_each(@homeIds)) OR (home_id IS NULL AND (@homeless = 1 OR owner_id = @ownerId)))`;

/** Whether the user has not read it; for users with an account. */
const UNREAD = `created_at > coalesce((SELECT read_up_to FROM notification_marks WHERE user_id = @ownerId),
    (SELECT created_at - 1 FROM users WHERE id = @ownerId), 0)
  AND id NOT IN (SELECT notification_id FROM notification_reads WHERE user_id = @ownerId)`;

/** The tables `notifications`, `notification_reads` and `notification_marks`. */
export class NotificationStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  add(one: StoredNotification): void {
    this.#database
      .prepare(
        `INSERT INTO notifications (id, owner_id, automation_id, home_id, title, message, channels_sent, channels_failed,
           rate_limited, created_at, link, tag, buttons) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        one.id,
        one.ownerId,
        one.automationId,
        one.homeId,
        one.title,
        one.message,
        one.channelsSent.join(','),
        one.channelsFailed.join(',') || null,
        Number(one.rateLimited),
        one.createdAt,
        one.link,
        one.tag,
        one.buttons.length > 0 ? JSON.stringify(one.buttons) : null,
      );
  }

  find(reach: Reach, id: string): StoredNotification | undefined {
    const row = this.#database
      .prepare<[object], NotificationRow>(`SELECT * FROM notifications WHERE id = @id AND ${WITHIN}`)
      .get({ ...parametersOf(reach), id });
    return row && toNotification(row);
  }

  /** @returns whether it is the first press of this notification; a later one changes nothing */
  press(id: string, { buttonId, at, by }: Omit<ButtonPress, 'title'>): boolean {
    return (
      this.#database
        .prepare(
          `UPDATE notifications SET pressed_button = ?, pressed_at = ?, pressed_by = ?
           WHERE id = ? AND pressed_at IS NULL`,
        )
        .run(buttonId, at, JSON.stringify(by), id).changes > 0
    );
  }

  setChannels({ id, channelsSent, channelsFailed }: StoredNotification): void {
    this.#database
      .prepare('UPDATE notifications SET channels_sent = ?, channels_failed = ? WHERE id = ?')
      .run(channelsSent.join(','), channelsFailed.join(',') || null, id);
  }

  /** Newest first. */
  list(
    reach: Reach,
    page: { readonly automationId: string | null; readonly limit: number; readonly offset: number },
  ): readonly SeenNotification[] {
    return this.#database
      .prepare<[object], NotificationRow & { unread: 0 | 1 }>(
        `SELECT *, ${UNREAD} AS unread FROM notifications WHERE ${WITHIN} AND (@automationId IS NULL OR automation_id = @automationId)
         ORDER BY created_at DESC, rowid DESC LIMIT @limit OFFSET @offset`,
      )
      .all({ ...parametersOf(reach), ...page })
      .map((row) => ({ ...toNotification(row), isRead: reach.ownerId === null ? null : row.unread === 0 }));
  }

  /** How many the user of this reach has not read, up to a limit. Suppressed ones do not count. */
  countUnread(reach: Reach, limit: number): number {
    const row = this.#database
      .prepare<[object], { count: number }>(
        `SELECT count(*) AS count FROM
           (SELECT 1 FROM notifications WHERE rate_limited = 0 AND ${WITHIN} AND ${UNREAD} LIMIT @limit)`,
      )
      .get({ ...parametersOf(reach), limit });
    return row?.count ?? 0;
  }

  /** Marks those of them that are within reach as read. @param ids `null` for all */
  markRead(reach: Reach, ids: readonly string[] | null): void {
    this.#database
      .prepare(
        `INSERT OR IGNORE INTO notification_reads (user_id, notification_id)
         SELECT @ownerId, id FROM notifications
         WHERE (@ids IS NULL OR id IN (SELECT value FROM json_each(@ids))) AND ${WITHIN}`,
      )
      .run({ ...parametersOf(reach), ids: ids && JSON.stringify(ids) });
  }

  /** Marks everything as read that there is now, in all homes. */
  markAllRead(userId: string): void {
    this.#database.transaction(() => {
      this.#database
        .prepare(
          `INSERT INTO notification_marks (user_id, read_up_to)
           SELECT ?, coalesce((SELECT max(created_at) FROM notifications), 0) WHERE true
           ON CONFLICT (user_id) DO UPDATE SET read_up_to = excluded.read_up_to`,
        )
        .run(userId);
      this.#database.prepare('DELETE FROM notification_reads WHERE user_id = ?').run(userId);
    })();
  }

  /** Notifications since then that count for limits; oldest first. */
  since(at: number): readonly KeptNotification[] {
    return this.#database
      .prepare<[number], Pick<NotificationRow, 'automation_id' | 'rate_limited' | 'created_at'>>(
        'SELECT automation_id, rate_limited, created_at FROM notifications WHERE created_at > ? ORDER BY created_at',
      )
      .all(at)
      .map((row) => ({
        automationId: row.automation_id,
        rateLimited: row.rate_limited === 1,
        createdAt: row.created_at,
      }));
  }

  /** @returns the number of deleted notifications. */
  deleteWithin(reach: Reach): number {
    return this.#database.prepare(`DELETE FROM notifications WHERE ${WITHIN}`).run(parametersOf(reach)).changes;
  }

  /** Deletes notifications for this user only. */
  deleteOf(ownerId: string): void {
    this.#database.prepare('DELETE FROM notifications WHERE owner_id = ?').run(ownerId);
  }

  /** Deletes up to `atMost` notifications from before then, oldest first. @returns how many */
  deleteBefore(at: number, atMost: number): number {
    return this.#database
      .prepare(
        `DELETE FROM notifications WHERE rowid IN
           (SELECT rowid FROM notifications WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
      )
      .run(at, atMost).changes;
  }

  /** Deletes up to `atMost` of the oldest beyond `count`. @returns how many */
  deleteBeyond(count: number, atMost: number): number {
    return this.#database
      .prepare(
        `DELETE FROM notifications WHERE rowid IN
           (SELECT rowid FROM notifications ORDER BY created_at LIMIT
             max(0, min(?, (SELECT count(*) FROM notifications) - ?)))`,
      )
      .run(atMost, count).changes;
  }
}

function parametersOf({ ownerId, homeIds, homeless }: Reach): object {
  return { ownerId, homeIds: JSON.stringify(homeIds), homeless: Number(homeless) };
}

function toNotification(row: NotificationRow): StoredNotification {
  const buttons = row.buttons === null ? [] : (JSON.parse(row.buttons) as readonly NotificationButton[]);
  return {
    id: row.id,
    ownerId: row.owner_id,
    automationId: row.automation_id,
    homeId: row.home_id,
    title: row.title,
    message: row.message,
    channelsSent: channelsOf(row.channels_sent),
    channelsFailed: channelsOf(row.channels_failed ?? ''),
    rateLimited: row.rate_limited === 1,
    createdAt: row.created_at,
    link: row.link,
    tag: row.tag,
    buttons,
    pressed: pressOf(row, buttons),
  };
}

function pressOf(row: NotificationRow, buttons: readonly NotificationButton[]): ButtonPress | null {
  const { pressed_button: buttonId, pressed_at: at, pressed_by: by } = row;
  if (buttonId === null || at === null || by === null) return null;
  const title = buttons.find(({ id }) => id === buttonId)?.title ?? buttonId;
  return { buttonId, title, at, by: JSON.parse(by) as ActivityActor };
}

/** Channels in the fixed order, regardless of the stored order. */
function channelsOf(text: string): readonly ChannelName[] {
  const names = text.split(',');
  return CHANNELS.filter((name) => names.includes(name));
}
