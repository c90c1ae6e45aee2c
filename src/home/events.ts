import type { CharacteristicValue, HapId } from './model.ts';

/** The known cause of a change: a write through this daemon, or the device and its other controllers. */
export type ChangeOrigin = 'write' | 'device';

/** All events of a home, named in the past tense. Payloads are small: listeners look up the details. */
export interface HomeEvents {
  /** A characteristic has a new value, confirmed by its device. One event per change, in order. */
  'state.changed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly serviceIid: HapId;
    readonly iid: HapId;
    /** Canonical characteristic type. */
    readonly type: string;
    readonly value: CharacteristicValue;
    readonly previous: CharacteristicValue;
    readonly origin: ChangeOrigin;
    readonly at: number;
  };
  /**
   * A press of a button or doorbell (HAP 73, a stateless switch: 0 single, 1 double, 2 long). It is an event, not a
   * state: two identical presses are two events.
   */
  'button.pressed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly serviceIid: HapId;
    readonly iid: HapId;
    readonly value: number;
    readonly at: number;
  };
  /** The reachability of an accessory differs from its last known value, which may date from before the start. */
  'accessory.reachability_changed': ReachabilityEvent;
  /** The first reachability report of the driver since the start. If it is a change, it follows `…_changed`. */
  'accessory.reachability_settled': ReachabilityEvent;
  'accessory.added': { readonly homeId: string; readonly accessoryId: string; readonly at: number };
  /** A lookup no longer finds the accessory, so the event carries its last name and place. */
  'accessory.removed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly name: string;
    readonly roomId: string;
    readonly at: number;
  };
  /** The execution of a scene; `success` only if every action succeeded. */
  'scene.executed': {
    readonly homeId: string;
    readonly sceneId: string;
    readonly name: string;
    readonly success: boolean;
    readonly at: number;
  };
  /** An automation started to run: its trigger fired, its conditions held, and no limit prevented the run. */
  'automation.fired': AutomationEvent;
  /**
   * A run ended with an error, or the relay stopped it to protect the home (a loop, too many runs, missed during
   * downtime).
   */
  'automation.failed': AutomationEvent & { readonly error: string };
  /** A person came home or left (`app/presence`). */
  'presence.changed': {
    readonly homeId: string;
    readonly personId: string;
    readonly atHome: boolean;
    /** Whether at least one person is at home now. */
    readonly anyoneHome: boolean;
    /** Whether every person is at home now. */
    readonly everyoneHome: boolean;
    readonly at: number;
  };
  /** A person has a new position. */
  'person.moved': {
    readonly homeId: string;
    readonly personId: string;
    readonly latitude: number;
    readonly longitude: number;
    /** The accuracy of the position. */
    readonly accuracyM: number;
    readonly at: number;
  };
  /** A notification for people (`app/notifications`): listeners to this event form the `local` channel. */
  'notification.sent': {
    readonly notificationId: string;
    /** The recipient; `null`: every user with access to the home. */
    readonly userId: string | null;
    readonly homeId: string | null;
    readonly automationId: string | null;
    readonly title: string | null;
    readonly message: string;
    /** How many buttons it has. */
    readonly buttons: number;
    readonly at: number;
  };
  /** A button of a notification was pressed. */
  'notification.button_pressed': {
    readonly notificationId: string;
    /** The recipient; `null`: every user with access to the home. */
    readonly userId: string | null;
    readonly homeId: string;
    readonly automationId: string | null;
    /** What its automation calls it. */
    readonly tag: string | null;
    readonly buttonId: string;
    readonly buttonTitle: string;
    /** Who pressed it: `user`, `app` …, the id, and the name at that time. */
    readonly byKind: string;
    readonly byId: string | null;
    readonly byName: string | null;
    readonly at: number;
  };
  /** A person marked notifications as read, or answered one. */
  'notifications.read': { readonly userId: string };
  /** Names, rooms, homes, zones, groups, scenes or an accessory's services changed. */
  'layout.changed': { readonly homeId: string };
  /** A change to the members of a home or to their permissions. */
  'members.changed': { readonly homeId: string };
  /** A person signed in with a device that they had not used before. */
  'session.new_device': {
    readonly userId: string;
    /** The User-Agent. */
    readonly device: string | null;
    readonly address: string | null;
    /** Milliseconds since the epoch. */
    readonly at: number;
  };
  /** What a person signs in with besides the password changed. */
  'account.second_step_changed': {
    readonly userId: string;
    readonly change:
      | 'passkey_added'
      | 'passkey_removed'
      | 'app_added'
      | 'app_removed'
      | 'recovery_codes_renewed'
      | 'all_removed';
    /** Of the passkey. */
    readonly name: string | null;
    readonly address: string | null;
    /** Milliseconds since the epoch. */
    readonly at: number;
  };
  /** A person's session ended: signed out, revoked, expired, or the account was deleted. */
  'session.ended': { readonly sessionId: string; readonly userId: string; readonly hasExpired: boolean };
  /** All sessions of a person were ended at once, by a new password or with the account; expired ones count too. */
  'sessions.revoked': { readonly userId: string };
  /** The relay deleted an account and ended all its sessions. */
  'user.removed': { readonly userId: string };
  /** The daemon has started: discovery is active and the relay answers requests. */
  'relay.started': { readonly version: string; readonly at: number };
  /** Settings of the daemon changed at run time. */
  'relay.settings_changed': Readonly<Record<string, never>>;
  /** The log has new lines; sent at most once a second. */
  'relay.logged': { readonly lastSeq: number };
  /** The connection or the known data of a paired device changed; sent at most once a second per home. */
  'pairings.changed': { readonly homeId: string };
  /** The list of devices on the network changed; sent at most once a second. */
  'discovery.changed': Readonly<Record<string, never>>;
  /** The activity log of a home has new entries; sent at most once a second per home. */
  'activity.added': { readonly homeId: string };
  /** Automations of a home were created, changed, switched or deleted. */
  'automations.changed': { readonly homeId: string };
  /** Webhooks of an account were created, changed or deleted, or changed their status. */
  'webhooks.changed': { readonly userId: string };
  /** The brokers of a home, or the status of their connections, changed. */
  'brokers.changed': { readonly homeId: string };
  /** The publications of a home, how they fare, or their controllers changed. */
  'publications.changed': { readonly homeId: string };
  /** The settings that an account stores for its clients changed. */
  'settings.changed': { readonly userId: string };
  /** The home's driver became available or unavailable ("Relay not connected"). */
  'home.connection_changed': { readonly homeId: string; readonly connected: boolean };
}

/** The fields that every event about a run of an automation has. */
export interface AutomationEvent {
  readonly homeId: string;
  readonly automationId: string;
  /** `native`: an automation of the home platform (API §2.4). `flow`: an automation of the service. */
  readonly kind: 'native' | 'flow';
  readonly name: string;
  /** The id of the run and of its trace. */
  readonly runId: string;
  readonly at: number;
}

interface ReachabilityEvent {
  readonly homeId: string;
  readonly accessoryId: string;
  readonly reachable: boolean;
  readonly at: number;
}
