/**
 * A home with native automations over a recording engine: the calls to the engine, and what the engine's calls cause.
 */
import { presentAutomation } from '../../../../src/api/present/automation.ts';
import type { Automation } from '../../../../src/app/automations/native/automation.ts';
import { AutomationStore } from '../../../../src/app/automations/native/automation-store.ts';
import { Automations } from '../../../../src/app/automations/native/automations.ts';
import type { ProgramEngine } from '../../../../src/app/automations/native/engine-port.ts';
import type { Program } from '../../../../src/app/automations/program.ts';
import { SceneStore } from '../../../../src/app/scenes/scene-store.ts';
import type { BlockedReason } from '../../../../src/contract/automation-runs.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { createTestHome, systemCaller, type TestHome, type TestHomeOptions } from '../../../support/test-home.ts';

export const PEOPLE = [
  { id: '11111111-1111-4111-8111-111111111111', name: 'Ann', atHome: true },
  { id: '22222222-2222-4222-8222-222222222222', name: 'Bob', atHome: null },
];

type Listener = Parameters<ProgramEngine['onTriggered']>[0];

export type NativeHome = ReturnType<typeof createNativeHome>;

export function createNativeHome(options: TestHomeOptions = {}) {
  const home: TestHome = createTestHome({ sample: true, ...options });
  const programs = new Map<string, Program>();
  const listeners = new Set<Listener>();
  const moments: number[] = [];
  const engine: ProgramEngine = {
    put: (program) => programs.set(program.id, program),
    remove: (id) => programs.delete(id),
    nextFireDates: (_, count, after = 0) => moments.filter((at) => at > after).slice(0, count),
    onTriggered(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const open = (): Automations => {
    const made = new Automations({
      store: new AutomationStore(home.database, new SceneStore(home.database)),
      state: home.state,
      access: home.access,
      engine,
      presence: { people: () => PEOPLE },
      bus: home.bus,
      clock: home.clock,
      logger: silentLogger,
    });
    made.start();
    return made;
  };
  const native = open();

  const on = (accessory = 'Lamp', targetValue: unknown = true) => ({
    accessoryId: home.named(accessory).id,
    characteristicType: 'on',
    targetValue,
  });
  return {
    home,
    native,
    programs,
    /** The same, loaded again. */
    reopen: open,
    /** When the engine reports that the clock fires. */
    moments,
    listeners,
    on,
    /** An automation of this trigger that switches the lamp on. */
    create(trigger: unknown, name = 'Evening', actions: unknown = [on()]): Automation {
      return native.create(systemCaller, { homeId: home.home.id, name, trigger, actions });
    },
    /** As a client sees it, through JSON. */
    show: (automation: Automation) => JSON.parse(JSON.stringify(presentAutomation(automation, home.state))),
    /** The engine began a run of it: its conditions held. */
    fire(id: string): void {
      const { homeId, name } = programs.get(id) as Program;
      const at = home.clock.now();
      home.bus.emit('automation.fired', { homeId, automationId: id, kind: 'native', name, runId: 'run', at });
    },
    /** The engine took note of a firing. */
    count(id: string, blockedReason: BlockedReason | null = null): void {
      const program = programs.get(id) as Program;
      for (const listener of listeners) listener(program, home.clock.now(), { runId: 'run', blockedReason });
    },
    stored: (id: string) =>
      home.database
        .prepare<[string], { enabled: number; last_fire_at: number | null }>(
          'SELECT enabled, last_fire_at FROM automations WHERE id = ?',
        )
        .get(id),
    close(): void {
      native.stop();
      home.close();
    },
  };
}

/** What a call throws, as code and field. */
export function refusal(call: () => unknown): { code: string; field: string | undefined; message: string } {
  try {
    call();
  } catch (error) {
    const { code, details, message } = error as { code: string; details: { field?: string }; message: string };
    return { code, field: details?.field, message };
  }
  throw new Error('It was not refused');
}
