/**
 * A lock. The home decides on each command, with the PIN that came with it; nothing of the PIN is here. To controllers
 * a lock with a PIN has one user with one credential, which they can't read, add to, change or remove (§5.2).
 */
import { Behavior, Bytes } from '@matter/main';
import { DoorLockServer } from '@matter/main/behaviors/door-lock';
import { DoorLock } from '@matter/main/clusters/door-lock';
import { hasRemoteActor } from '@matter/main/protocol';
import { Status, StatusResponseError } from '@matter/main/types';
import type { MatterPinRefusal, MatterWriteResult } from '../../../home/matter-port.ts';
import { BridgeEvents } from './bridge-events.ts';
import { requireOk } from './write-status.ts';

const { LockState, LockOperationType, OperationSource, OperationError, AlarmCode, CredentialType } = DoorLock;

/** The one user, and the one credential of that user. */
const INDEX = 1;
const CREDENTIAL: DoorLock.Credential = { credentialType: CredentialType.Pin, credentialIndex: INDEX };
const NO_USER = { userIndex: null, credentials: null };
const RULES = ['requirePinForRemoteOperation', 'wrongCodeEntryLimit', 'userCodeTemporaryDisableTime'] as const;
const PIN_REFUSALS: ReadonlySet<MatterWriteResult> = new Set<MatterPinRefusal>([
  'no_pin',
  'wrong_pin',
  'last_wrong_pin',
  'pin_blocked',
]);

class PinLockServer extends DoorLockServer.with('PinCredential', 'CredentialOverTheAirAccess', 'User') {
  override initialize() {
    const initialized = super.initialize();
    if (!this.#hasPin) return initialized;
    for (const rule of RULES) this.reactTo(this.events[`${rule}$Changing`], this.#keepRule);
    return initialized;
  }

  override lockDoor({ pinCode }: DoorLock.LockDoorRequest): Promise<void> {
    return this.#operate(LockState.Locked, LockOperationType.Lock, pinCode);
  }

  override unlockDoor({ pinCode }: DoorLock.UnlockDoorRequest): Promise<void> {
    return this.#operate(LockState.Unlocked, LockOperationType.Unlock, pinCode);
  }

  override setUser(): void {
    throw notOfControllers();
  }

  override getUser({ userIndex }: DoorLock.GetUserRequest): DoorLock.GetUserResponse {
    if (userIndex !== INDEX) throw new StatusResponseError('There is one user', Status.InvalidCommand);
    return {
      userIndex,
      userName: '',
      userUniqueId: null,
      userStatus: DoorLock.UserStatus.OccupiedEnabled,
      userType: DoorLock.UserType.RemoteOnlyUser,
      credentialRule: DoorLock.CredentialRule.Single,
      credentials: [CREDENTIAL],
      // No controller made it.
      creatorFabricIndex: null,
      lastModifiedFabricIndex: null,
      nextUserIndex: null,
    };
  }

  override clearUser(): void {
    throw notOfControllers();
  }

  override setCredential(): DoorLock.SetCredentialResponse {
    return { status: Status.Failure, userIndex: null, nextCredentialIndex: null };
  }

  override getCredentialStatus({
    credential: { credentialType, credentialIndex },
  }: DoorLock.GetCredentialStatusRequest): DoorLock.GetCredentialStatusResponse {
    const credentialExists = credentialType === CredentialType.Pin && credentialIndex === INDEX;
    return {
      credentialExists,
      userIndex: credentialExists ? INDEX : null,
      creatorFabricIndex: null,
      lastModifiedFabricIndex: null,
      nextCredentialIndex: null,
    };
  }

  override clearCredential(): void {
    throw notOfControllers();
  }

  async #operate(lockState: DoorLock.LockState, lockOperationType: DoorLock.LockOperationType, pin?: Bytes) {
    const { context } = this;
    const fabricIndex = context.fabric ?? null;
    const result = await this.env.get(BridgeEvents).write({
      ...{ key: this.endpoint.id, fabricIndex, clusters: { doorLock: { lockState } } },
      ...(pin && { pin: Buffer.from(Bytes.of(pin)).toString() }),
    });
    const operation = {
      ...{ lockOperationType, operationSource: OperationSource.Remote, fabricIndex },
      sourceNode: 'subject' in context && context.subject?.kind === 'node' ? context.subject.id : null,
    };
    if (result === 'last_wrong_pin') {
      this.events.doorLockAlarm.emit({ alarmCode: AlarmCode.WrongCodeEntryLimit }, context);
    }
    if (PIN_REFUSALS.has(result)) {
      const operationError = OperationError.InvalidCredential;
      this.events.lockOperationError.emit({ ...operation, operationError, ...NO_USER }, context);
    }
    requireOk(result);
    this.state.lockState = lockState;
    const user = this.#hasPin ? { userIndex: INDEX, credentials: [CREDENTIAL] } : NO_USER;
    this.events.lockOperation.emit({ ...operation, ...user }, context);
  }

  get #hasPin(): boolean {
    return this.features.pinCredential;
  }

  #keepRule() {
    if (hasRemoteActor(this.context)) throw new StatusResponseError('The home has the rules', Status.UnsupportedWrite);
  }
}

function notOfControllers(): StatusResponseError {
  return new StatusResponseError('The home has the PIN', Status.Failure);
}

// The library would lock again without the device.
PinLockServer.prototype.unlockWithTimeout = Behavior.unimplemented;

/** Without features; an endpoint adds those of a lock with a PIN. */
export const LockServer = PinLockServer.with();
