/** Ours, as it is installed: the built daemon, asked over its socket. */
import { mkdirSync } from 'node:fs';
import { REGISTERS, SENSOR, typeOf } from '../e2e/chaos-fixture.ts';
import { BuiltDaemon, type BuiltProgram } from '../support/built-daemon.ts';
import { type Answer, eventually, sharePairings } from '../support/e2e-relay.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { type StartController, WRITE_WITHIN_MS, type WriteAnswer } from './controller.ts';
import { inTime } from './in-time.ts';

export function hearthd(program: BuiltProgram): StartController {
  return async (device) => {
    const directory = createTempDirectory('faults');
    mkdirSync(directory.file('data'), { mode: 0o700 });
    sharePairings({ ...directory, file: (...names) => directory.file('data', ...names) }, [device]);
    const daemon = await BuiltDaemon.start({ program, directory });
    const ask = async (path: string): Promise<Answer['body']> => (await daemon.asSystem('GET', path)).body;
    const id = await eventually(async () => {
      const list: Answer['body'][] = await ask('/rest/accessories');
      return list.find(({ deviceId, isReachable }) => deviceId === device.deviceId && isReachable)?.id;
    }, `${device.name} to be reachable`);
    return {
      name: 'hearthd',
      async write(value): Promise<WriteAnswer> {
        const where = { home: 'Test Home', room: 'Default Room', accessory: device.name };
        const sent = daemon.asSystem('POST', '/rest/state', { ...where, [typeOf(REGISTERS[0].iid)]: value });
        const answer = await inTime(sent, WRITE_WITHIN_MS);
        if (answer === undefined) return 'none';
        return answer.body.updated === 1 ? 'done' : 'error';
      },
      async shown(): Promise<unknown> {
        const { services } = await ask(`/rest/accessories/${id}`);
        const all: Answer['body'][] = services.flatMap(({ characteristics }: Answer['body']) => characteristics);
        return all.find((one) => String(one.id).endsWith(`.${SENSOR}`))?.value;
      },
      async stop(): Promise<void> {
        await daemon.end('SIGKILL');
        directory.remove();
      },
    };
  };
}
