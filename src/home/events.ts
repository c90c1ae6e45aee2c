import type { CharacteristicValue, HapId } from './model.ts';

/** Who caused a change, as far as it is known: a write through this daemon, or the device and whoever else drives it. */
export type ChangeOrigin = 'write' | 'device';

/** Everything that happens in a home, named in the past tense. Payloads are small: listeners look the rest up. */
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
   * A button or doorbell was pressed (HAP 73, a stateless switch: 0 single, 1 double, 2 long). An event, not a state:
   * two presses alike are two events.
   */
  'button.pressed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly serviceIid: HapId;
    readonly iid: HapId;
    readonly value: number;
    readonly at: number;
  };
  'accessory.reachability_changed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly reachable: boolean;
    readonly at: number;
  };
  'accessory.added': { readonly homeId: string; readonly accessoryId: string; readonly at: number };
  /** It can't be looked up any more: what it was called and where it was comes with it. */
  'accessory.removed': {
    readonly homeId: string;
    readonly accessoryId: string;
    readonly name: string;
    readonly roomId: string;
    readonly at: number;
  };
  /** A scene was executed; `success` only if every action was. */
  'scene.executed': {
    readonly homeId: string;
    readonly sceneId: string;
    readonly name: string;
    readonly success: boolean;
    readonly at: number;
  };
  /** An automation began to run: its trigger fired, its conditions held, nothing stood in its way. */
  'automation.fired': AutomationEvent;
  /** A run ended with an error, or was stopped to protect the house (a loop, too many runs, missed while the daemon was down). */
  'automation.failed': AutomationEvent & { readonly error: string };
  /** A person came home or left (`app/presence`). */
  'presence.changed': {
    readonly homeId: string;
    readonly personId: string;
    readonly atHome: boolean;
    /** Whether anybody is at home now. */
    readonly anyoneHome: boolean;
    /** Whether everybody is. */
    readonly everyoneHome: boolean;
    readonly at: number;
  };
  /** A person's position is known anew. */
  'person.moved': {
    readonly homeId: string;
    readonly personId: string;
    readonly latitude: number;
    readonly longitude: number;
    /** How far off it may be. */
    readonly accuracyM: number;
    readonly at: number;
  };
  /** Something for people to read (`app/notifications`): the `local` channel is whoever listens. */
  'notification.sent': {
    readonly notificationId: string;
    /** The user whom it is for; `null`: everybody who may see its home. */
    readonly userId: string | null;
    readonly homeId: string | null;
    readonly automationId: string | null;
    readonly title: string | null;
    readonly message: string;
    readonly at: number;
  };
  /** Names, rooms, homes, zones, groups, scenes or an accessory's services changed. */
  'layout.changed': { readonly homeId: string };
  /** Who belongs to a home changed, or what they may do there. */
  'members.changed': { readonly homeId: string };
  /** A person's session ended: signed out, put out, its time was over, or the account is gone. */
  'session.ended': { readonly sessionId: string; readonly userId: string };
  /** An account was deleted, and all its sessions ended with it. */
  'user.removed': { readonly userId: string };
  /** The daemon has started: devices are looked for, requests are answered. */
  'relay.started': { readonly version: string; readonly at: number };
  /** Settings of the daemon were changed while it runs. */
  'relay.settings_changed': Readonly<Record<string, never>>;
  /** The log has new lines; told at most once a second. */
  'relay.logged': { readonly lastSeq: number };
  /** The connection of a paired device, or what is known of it, changed; told at most once a second of each home. */
  'pairings.changed': { readonly homeId: string };
  /** What was seen on the network changed; told at most once a second. */
  'discovery.changed': Readonly<Record<string, never>>;
  /** Automations of a home were made, changed, switched or deleted. */
  'automations.changed': { readonly homeId: string };
  /** Webhooks of an account were made or deleted, changed, or changed their status. */
  'webhooks.changed': { readonly userId: string };
  /** The brokers of a home, or how their connections fare, changed. */
  'brokers.changed': { readonly homeId: string };
  /** What an account keeps for its clients changed. */
  'settings.changed': { readonly userId: string };
  /** The home's driver became available or ceased to be ("Relay not connected"). */
  'home.connection_changed': { readonly homeId: string; readonly connected: boolean };
}

/** What every event about a run of an automation says. */
export interface AutomationEvent {
  readonly homeId: string;
  readonly automationId: string;
  /** `native`: one of the home platform's kind (API §2.4). `flow`: the service's own. */
  readonly kind: 'native' | 'flow';
  readonly name: string;
  /** The run's, which is its trace's too. */
  readonly runId: string;
  readonly at: number;
}
