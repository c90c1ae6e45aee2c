/** What the operations of the home are made of: state, databases, drivers and settings. */
import type { BlueprintLanguage } from '../contract/blueprints.ts';
import type { AccessoryDriver } from '../home/accessory-driver.ts';
import type { HttpJudge, HttpSender } from '../home/http-sender.ts';
import type { OpenMatterBridge } from '../home/matter-port.ts';
import type { NotificationChannel } from '../home/notification-channel.ts';
import type { NtfyService } from '../home/ntfy-service.ts';
import type { PairingDriver } from '../home/pairing-driver.ts';
import type { OpenBridge } from '../home/publication-port.ts';
import type { VirtualDriver } from '../home/virtual-driver.ts';
import type { RehearseVirtuals } from '../home/virtual-rehearsal.ts';
import type { WebPush } from '../home/web-push.ts';
import type { BackupFolder } from '../storage/backups/backup-folder.ts';
import type { Database } from '../storage/database.ts';
import type { DisposableDatabase } from '../storage/disposable-database.ts';
import type { AppDeps } from './access/app-deps.ts';
import type { BlueprintTexts } from './automations/blueprints/shipped/index.ts';
import type { RestorePort } from './backup/restorer.ts';
import type { HttpsParts } from './https/create-https.ts';
import type { LayoutStore } from './layout/layout-store.ts';
import type { HomeReferences } from './layout/references.ts';
import type { MqttDeps } from './mqtt/create-mqtt.ts';
import type { AnnouncementTexts } from './notifications/account-announcements.ts';
import type { RelayOperationDeps } from './relay-status/relay-deps.ts';
import type { MemberRoles } from './users/member-roles.ts';
import type { Hasher } from './users/passwords.ts';
import type { SecondStepAudience } from './users/second-step-rule.ts';

export interface OperationsDeps extends AppDeps<'state' | 'access' | 'bus' | 'clock' | 'timers' | 'logger'> {
  /** The database with all irreplaceable data. */
  readonly database: Database;
  /** The folder of its backups; `null` for an in-memory database. */
  readonly backupFolder: BackupFolder | null;
  /** Restarts the relay from a backup. */
  readonly restorer: RestorePort;
  readonly layoutStore: LayoutStore;
  /** Registers everything that refers to accessories. */
  readonly references: HomeReferences;
  /** User roles, for `access`. */
  readonly memberRoles: MemberRoles;
  /** Computes password hashes; default Argon2id. */
  readonly passwordHasher?: Hasher | undefined;
  readonly drivers: {
    readonly hap: PairingDriver;
    readonly virtual: VirtualDriver;
    /** Routes each write to the driver of its accessory. */
    readonly router: Pick<AccessoryDriver, 'write' | 'identify'>;
  };
  /** Virtual accessories for dry runs. */
  readonly rehearseVirtuals: RehearseVirtuals;
  readonly mqtt: MqttDeps;
  readonly http: HttpSender & HttpJudge;
  /** Opens the HAP server of a publication. */
  readonly openBridge: OpenBridge;
  readonly openMatterBridge: OpenMatterBridge;
  readonly automations: {
    readonly runsPerMinute: () => number;
    /** How late an action may run if it came due while the daemon was down or the computer asleep, in milliseconds. */
    readonly graceMs: () => number;
  };
  /** The configured notification channels outside the daemon. */
  readonly notificationChannels: () => readonly NotificationChannel[];
  /** To the push services of people's browsers. */
  readonly webPush: WebPush;
  /** To the ntfy topics of people. */
  readonly ntfy: NtfyService;
  /** Where people and programs elsewhere reach the relay; `null` if no admin has set it. */
  readonly publicUrl: () => string | null;
  /** Which accounts must have a second step. */
  readonly secondStepRequiredFor: () => SecondStepAudience;
  /** How long a repeated OAuth refresh gets the same answer; 0 = never. */
  readonly refreshGraceMs: () => number;
  readonly historyDatabase: DisposableDatabase;
  readonly historyMaxBytes: () => number;
  /** The texts of the relay’s blueprints. */
  readonly blueprintTexts: (language: BlueprintLanguage) => BlueprintTexts;
  /** The texts of announcements about accounts; English without a language. */
  readonly announcementTexts: (language: string | undefined) => AnnouncementTexts;
  readonly relay: RelayOperationDeps;
  /** The setting `update_check`. */
  readonly updateCheckIsOn: () => boolean;
  readonly https: HttpsParts;
}
