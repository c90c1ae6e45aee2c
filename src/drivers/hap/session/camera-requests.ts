/** What only cameras answer: pictures, and the set-up of a stream. */
import type { PictureSize } from '../../../home/camera-driver.ts';
import type { HapId } from '../../../home/model.ts';
import { HearthError, messageOf } from '../../../kernel/errors.ts';
import type { CharacteristicRequests, CharacteristicsAnswer } from '../wire/characteristic-requests.ts';
import { type CharacteristicId, STATUS } from '../wire/characteristics-codec.ts';
import { ConnectionError } from '../wire/connection.ts';

/** @throws `accessory_unreachable` · `accessory_error` */
export async function takePicture(
  { connection }: CharacteristicRequests,
  aid: HapId,
  { width, height }: PictureSize,
): Promise<Buffer> {
  const body = `{"aid":${aid},"resource-type":"image","image-width":${width},"image-height":${height}}`;
  const answer = await orUnreachable(connection.request({ method: 'POST', path: '/resource', body }));
  if (answer.status === 200 && answer.body.length > 0) return answer.body;
  throw new HearthError('accessory_error', `The camera gave no picture (HTTP status ${answer.status}).`);
}

/** Writes a value and reads the answer. @throws `accessory_unreachable` · `accessory_error` */
export async function negotiate(
  requests: CharacteristicRequests,
  id: CharacteristicId,
  value: string,
): Promise<string> {
  const element = { ...id, members: `"value":${JSON.stringify(value)}` };
  requireOk(await orUnreachable(requests.write([element], { urgent: true })));
  const answer = await orUnreachable(requests.read([id], { urgent: true }));
  requireOk(answer);
  const read = 'status' in answer ? undefined : answer[0]?.value;
  if (typeof read === 'string') return read;
  throw new HearthError('accessory_error', 'The camera gave no answer about the stream.');
}

function requireOk(answer: CharacteristicsAnswer): void {
  const status =
    'status' in answer ? answer.status : (answer.find((one) => one.status !== STATUS.ok)?.status ?? STATUS.ok);
  if (status !== STATUS.ok)
    throw new HearthError('accessory_error', `The camera refused the stream (status ${status}).`);
}

async function orUnreachable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof ConnectionError)) throw error;
    throw new HearthError('accessory_unreachable', `${messageOf(error)}.`, {}, { cause: error });
  }
}
