/**
 * The process of a Matter bridge: the only code that knows the Matter library. The relay starts it
 * (`../supervisor.ts`), sends it what to publish and stores its data. It ends with the channel to the relay.
 */
import { config } from '@matter/nodejs/config';
import type { MatterOrder, MatterRequest, ToChild, ToChildAnswer } from '../messages.ts';
import type { Bridge } from './bridge.ts';
import { describeError } from './describe-error.ts';
import { ParentLink } from './parent-link.ts';

// The library reads no arguments, variables and files, and writes none: before it is loaded.
config.loadProcessArgv = false;
config.loadProcessEnv = false;
config.loadConfigFile = false;
config.defaultStoragePath = '/dev/null';
config.installFilesystem = false;
config.trapProcessSignals = false;
config.trapUnhandledErrors = false;
config.setProcessExitCodeOnError = false;

const link = new ParentLink();
let bridge: Promise<Bridge> | undefined;
/** Messages are obeyed one after the other. */
let work: Promise<void> = Promise.resolve();

process.on('disconnect', () => process.exit(1));
// The terminal sends them to the whole group; the relay stops this process itself.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
process.on('message', (message: ToChild | ToChildAnswer) => {
  if (message.type === 'stored' || message.type === 'written') link.settle(message);
  else if (message.type === 'ping') link.send({ type: 'pong', residentBytes: process.memoryUsage.rss() });
  else if (message.type === 'ask') void answer(message.id, message.request);
  else work = work.then(() => obey(message)).catch(fail);
});

async function obey(message: MatterOrder): Promise<void> {
  switch (message.type) {
    case 'open': {
      const { Bridge } = await import('./bridge.ts');
      bridge = Bridge.open(message, link);
      await bridge;
      return;
    }
    case 'endpoints':
      await (await bridge)?.remove(message.remove);
      await (await bridge)?.put(message.put, message.configurationVersion);
      return;
    case 'values':
      for (const { key, clusters } of message.values) (await bridge)?.setValues(key, clusters);
      return;
    case 'pressed':
      (await bridge)?.press(message.key, message.press);
      return;
    case 'network_changed':
      await (await bridge)?.networkChanged();
      return;
    case 'stop':
      await (await bridge)?.close();
      process.exit(0);
  }
}

async function answer(id: number, request: MatterRequest): Promise<void> {
  try {
    await carryOut(request);
    link.send({ type: 'answer', id, error: null });
  } catch (error) {
    link.send({ type: 'answer', id, error: describeError(error) });
  }
}

async function carryOut(request: MatterRequest): Promise<void> {
  const commissioning = (await bridge)?.commissioning;
  if (request.type === 'open_window') await commissioning?.openWindow(request.durationS);
  else if (request.type === 'close_window') await commissioning?.closeWindow();
  else await commissioning?.removeFabric(request.index);
}

/** Nothing is certain after an error that nothing handled: the relay starts another process. */
function fail(error: unknown): void {
  link.send({ type: 'failed', error: describeError(error) });
  setImmediate(() => process.exit(1));
}
