/**
 * The ports for the actions of a dry run: the simulated home, and a record in place of people, servers and other
 * automations.
 */
import { characteristicName } from '../../../hap-spec/characteristics.ts';
import type { AccessoryDriver, DriverWrite } from '../../../home/accessory-driver.ts';
import { HttpSendError, type HttpSender } from '../../../home/http-sender.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import { newId } from '../../../kernel/ids.ts';
import { type Access, notFound } from '../../access/authorize.ts';
import type { OnWrite } from '../../control/control.ts';
import { failureOf } from '../../control/outcome.ts';
import { targetsOf } from '../../control/write-plan.ts';
import type { Notifier } from '../../notifications/notifier.ts';
import type { ActionPorts, AutomationControl } from '../actions/action-kind.ts';
import { AutomationEvents, type AutomationsEvent } from '../automation-events.ts';
import type { Engine } from '../engine/engine.ts';
import type { Program } from '../program.ts';
import type { Simulated, SimulationRecord } from './record.ts';
import type { CannedAnswer } from './scenario.ts';
import type { SimulatedHome } from './simulated-home.ts';

/** The originator of the next writes. */
export interface WriteOrigin {
  runId: string | null;
}

/** The driver, with its writes recorded. @param writer set before it is called */
export function recordedDriver(
  simulated: SimulatedHome,
  record: SimulationRecord,
  writer: WriteOrigin,
): Pick<AccessoryDriver, 'write' | 'identify'> {
  return {
    identify: simulated.driver.identify,
    async write(writes) {
      const { runId } = writer;
      const outcomes = await simulated.driver.write(writes);
      for (const [index, write] of writes.entries()) {
        const outcome = outcomes[index];
        record.wrote({
          runId,
          ...placeOf(simulated, write),
          value: outcome?.ok ? outcome.value : write.value,
          operation: null,
          error: outcome?.ok === false ? outcome.detail : null,
          ...(outcome?.ok === false && { code: failureOf(outcome).code }),
        });
      }
      return outcomes;
    },
  };
}

function placeOf(simulated: SimulatedHome, { address, iid }: Pick<DriverWrite, 'address' | 'iid'>) {
  const accessory = simulated.state.findByAddress(address);
  const accessoryId = accessory?.id ?? '';
  const type = simulated.state.characteristic({ accessoryId, iid })?.type ?? '';
  return { accessoryId, accessoryName: accessory?.name ?? '', characteristicType: characteristicName(type) };
}

interface RecordedVirtualsDeps {
  readonly simulated: SimulatedHome;
  readonly record: SimulationRecord;
  readonly access: Access;
  readonly onWrite: OnWrite;
}

/** As the real operation: accessories that people may only read accept automations. */
export function recordedVirtuals({
  simulated,
  record,
  access,
  onWrite,
}: RecordedVirtualsDeps): ActionPorts['virtuals'] {
  return {
    operate(caller, id, operation, value) {
      const known = simulated.state.accessory(id);
      const accessory = access.authorizeAccessory(caller, 'control', known?.virtual ? known : undefined);
      if (!simulated.state.isConnected(accessory.homeId))
        throw new HearthError('relay_not_connected', 'Relay not connected');
      const { address, services } = accessory;
      const place = placeOf(simulated, { address, iid: services[0]?.characteristics[0]?.iid ?? '' });
      const name = String(operation);
      const runId = caller.requestId;
      const settled = onWrite(caller, targetsOf(accessory));
      try {
        const result = simulated.virtuals.operate(address, name, value);
        record.wrote({ runId, ...place, value: result, operation: name, error: null });
        return { value: result, timer: simulated.virtuals.timerOf(address) ?? null };
      } catch (error) {
        record.wrote({
          runId,
          ...place,
          value: String(value ?? ''),
          operation: name,
          error: messageOf(error),
          ...codeIn(error),
        });
        throw error;
      } finally {
        settled();
      }
    },
  };
}

export function recordedNotifier(record: SimulationRecord, runId: string): Notifier {
  return {
    async notify({ automationId, title, message }) {
      record.notified({ runId, automationId, title, message });
      return { notificationId: null, delivered: true, channels: ['local'], rateLimited: false, reason: null };
    },
  };
}

/** Responds as the scenario defines: the first match; an empty 200 if there is none. */
export function recordedSender(answers: readonly CannedAnswer[], record: SimulationRecord, runId: string): HttpSender {
  return {
    async send({ method, url, headers, body }) {
      const answer = answers.find(
        (one) => url.startsWith(one.url ?? '') && (one.method === undefined || one.method === method.toUpperCase()),
      );
      const failure = answer?.error;
      const status = failure ? null : (answer?.status ?? 200);
      record.requested({ runId, method, url, headers, body: body ?? null, status });
      if (failure === 'timeout') throw new HttpSendError('timeout', 'The server did not answer in time');
      if (failure) throw new HttpSendError('network', 'The server can’t be reached');
      return { status: status ?? 200, statusText: '', headers: answer?.headers ?? {}, body: answer?.body ?? '' };
    },
  };
}

/** The automations' events. Events are dropped until `open`: loading the automations is not part of the dry run. */
export class SimulatedEvents extends AutomationEvents {
  #isOpen = false;

  open(): void {
    this.#isOpen = true;
  }

  override emit(event: AutomationsEvent): void {
    if (this.#isOpen) super.emit(event);
  }
}

/** The events that a run fires. */
export class FiredEvents extends AutomationEvents {
  readonly #events: AutomationEvents;
  readonly #record: SimulationRecord;
  readonly #runId: string;

  constructor(events: AutomationEvents, record: SimulationRecord, runId: string) {
    super();
    this.#events = events;
    this.#record = record;
    this.#runId = runId;
  }

  override emit(event: AutomationsEvent): void {
    const { eventType, eventData } = event;
    this.#record.fired({ runId: this.#runId, eventType, eventData });
    this.#events.emit(event);
  }
}

interface MemberOperationsDeps {
  readonly engine: () => Pick<Engine, 'find' | 'put' | 'trigger'>;
  /** The automations of the real home. */
  readonly find: (automationId: string) => Program | undefined;
  readonly record: SimulationRecord;
}

/** Other automations: participating ones execute commands; for others, commands are only recorded. */
export class OtherAutomations {
  readonly #deps: MemberOperationsDeps;
  /** Automations that do not participate, with their simulated current state. */
  readonly #absent = new Map<string, Program>();

  constructor(deps: MemberOperationsDeps) {
    this.#deps = deps;
  }

  controlledBy(runId: string): AutomationControl {
    const { engine, record } = this.#deps;
    const command = (id: string, action: Simulated<'commands'>['action']): Program => {
      const program = this.#find(id);
      if (!program) throw notFound('automation_not_found');
      record.commanded({ runId, automationId: id, automationName: program.name, action });
      return program;
    };
    return {
      find: (id) => this.#find(id),
      setEnabled: (id, enabled) => {
        const program = { ...command(id, enabled ? 'enable' : 'disable'), enabled };
        if (engine().find(id)) engine().put(program);
        else this.#absent.set(id, program);
      },
      trigger: (id, cause) => {
        command(id, 'trigger');
        return engine().find(id) ? engine().trigger(id, { cause }) : { runId: newId(), blockedReason: null };
      },
      // Its requests are recorded, not sent.
      mayReachOut: () => true,
    };
  }

  #find(id: string): Program | undefined {
    return this.#deps.engine().find(id) ?? this.#absent.get(id) ?? this.#deps.find(id);
  }
}

function codeIn(error: unknown): Pick<Simulated<'writes'>, 'code'> {
  return error instanceof HearthError ? { code: error.code } : {};
}
