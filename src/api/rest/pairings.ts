import { Hono } from 'hono';
import type { Caller } from '../../app/access/caller.ts';
import type { Pairings } from '../../app/pairings/pairings.ts';
import { NewController, NewPairing } from '../../contract/pairings.ts';
import type { PairingStep } from '../../home/pairing-driver.ts';
import { HearthError, messageOf } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { type ApiContext, type ApiEnv, headerOf } from '../env.ts';
import { internalError, presentErrorBody } from '../error-table.ts';
import { presentDiagnostics } from '../present/device-diagnostics.ts';
import { presentPairing } from '../present/pairing.ts';
import { readInput } from '../read-body.ts';
import { queryFlag, queryId } from '../read-query.ts';
import { answer, answerJson } from '../respond.ts';

export interface PairingRoutesDeps {
  readonly pairings: Pairings;
  readonly logger: Logger;
}

const NDJSON = 'application/x-ndjson';

export function pairingRoutes(deps: PairingRoutesDeps): Hono<ApiEnv> {
  const { pairings } = deps;
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      answerJson(pairings.list(c.get('caller'), queryId(c, 'home')).map((device) => presentPairing(device, pairings))),
    )
    .post('/', async (c) => {
      const caller = c.get('caller');
      const input = await readInput(c, NewPairing);
      if (headerOf(c, 'accept')?.toLowerCase().includes(NDJSON)) return streamPairing(deps, caller, input);
      return answerJson(presentPairing(await pairings.pair(caller, input), pairings));
    })
    .delete('/:deviceId', async (c) => {
      const deviceId = c.req.param('deviceId').toUpperCase();
      await pairings.unpair(c.get('caller'), deviceId, queryFlag(c, 'force'));
      return answerJson({ success: true, deviceId });
    })
    .post('/:deviceId/reconnect', async (c) =>
      answerJson(presentPairing(await pairings.reconnect(c.get('caller'), c.req.param('deviceId')), pairings)),
    )
    .get('/:deviceId/diagnostics', (c) =>
      answerJson(presentDiagnostics(pairings.diagnose(c.get('caller'), c.req.param('deviceId')))),
    )
    .get('/:deviceId/controllers', async (c) =>
      answerJson(await pairings.listControllers(c.get('caller'), c.req.param('deviceId'))),
    )
    .post('/:deviceId/controllers', async (c) => {
      const controller = await readInput(c, NewController);
      await pairings.addController(c.get('caller'), c.req.param('deviceId'), controller);
      return answerJson({ success: true, controllerId: controller.id });
    })
    .delete('/:deviceId/controllers/:controllerId', async (c: ApiContext) => {
      const { deviceId = '', controllerId = '' } = c.req.param();
      await pairings.removeController(c.get('caller'), deviceId, controllerId);
      return answerJson({ success: true, controllerId });
    });
}

/**
 * One line a step, so that a waiting person sees the progress; then the pairing or the error. An error before the first
 * step is an ordinary error response. A client that disconnects does not stop the pairing.
 */
async function streamPairing(
  { pairings, logger }: PairingRoutesDeps,
  caller: Caller,
  input: NewPairing,
): Promise<Response> {
  const lines = new TextEncoderStream();
  const writer = lines.writable.getWriter();
  const send = (line: object): void => {
    writer.write(`${JSON.stringify(line)}\n`).catch(() => {});
  };
  let begin: () => void = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const pairing = pairings.pair(caller, input, (step: PairingStep) => {
    send({ step });
    begin();
  });
  const finished = pairing
    .then(
      (device) => send({ pairing: presentPairing(device, pairings) }),
      (error: unknown) => send(presentErrorBody(asExpected(error, logger, caller))),
    )
    .finally(() => writer.close().catch(() => {}));
  void finished;
  await Promise.race([begun, pairing]);
  return answer(lines.readable, 200, { 'Content-Type': NDJSON });
}

function asExpected(error: unknown, logger: Logger, { requestId }: Caller): HearthError {
  if (error instanceof HearthError && error.code !== 'internal') return error;
  logger.error({ requestId, error: messageOf(error) }, 'Unexpected error during pairing');
  return internalError();
}
