/** The state of a session, and the reports of it to the home and the log. */
import type { ConnectionStatus } from '../../../home/pairing-driver.ts';
import type { AccessorySessionDeps, SessionHost } from './session-host.ts';
import { Signal } from './signal.ts';

export type SessionState =
  | 'stopped'
  /** No address is known. */
  | 'waiting'
  | 'connecting'
  | 'verifying'
  | 'loading'
  | 'subscribing'
  | 'reading'
  | 'ready'
  | 'backing_off'
  | 'pairing_lost';

export class SessionStatus {
  readonly #onReady: () => void;
  /** Why it is not connected. */
  fault = 'The device is not connected.';
  /** Pulsed at every state change. */
  readonly changed: Signal;
  readonly #host: SessionHost;
  readonly #deps: AccessorySessionDeps;
  #state: SessionState = 'stopped';
  #shown: ConnectionStatus | undefined;

  /** @param onReady called before that is shown */
  constructor(host: SessionHost, deps: AccessorySessionDeps, onReady: () => void) {
    this.#onReady = onReady;
    this.#host = host;
    this.#deps = deps;
    this.changed = new Signal(deps.clock);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** @param detail why it is not connected */
  failed(detail: string): void {
    this.fault = /[.!?]$/.test(detail) ? detail : `${detail}.`;
  }

  /** The session starts: nothing has been shown yet. */
  reset(): void {
    this.#shown = undefined;
  }

  /** Changes the state. @param status the status to show, if the state does not imply it */
  enter(state: SessionState, status?: ConnectionStatus): void {
    this.#state = state;
    if (state === 'ready') {
      this.#onReady();
      this.#show('connected', null);
    } else if (status) {
      this.#show(status, status === 'connecting' ? null : this.fault);
      this.logFault('Not connected', this.fault);
    } else if (state === 'connecting' && this.#shown === undefined) this.#show('connecting', null);
    this.changed.pulse();
  }

  logFault(what: string, why: string): void {
    const { keys, name } = this.#host;
    this.#deps.throttle.once(`${keys.deviceId}:${what}`, (skipped) =>
      this.#deps.logger.warn({ device: keys.deviceId, name, why, ...skipped }, what),
    );
  }

  #show(status: ConnectionStatus, detail: string | null): void {
    if (status === 'connected' && this.#shown !== status) {
      const { keys, name } = this.#host;
      this.#deps.throttle.once(`${keys.deviceId}:connected`, (skipped) =>
        this.#deps.logger.info({ device: keys.deviceId, name, ...skipped }, 'Connected'),
      );
    }
    this.#shown = status;
    this.#host.onStatus(status, detail);
  }
}
