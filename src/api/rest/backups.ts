/**
 * Backups: the whole home as a file. A backup contains the keys of every accessory, so no token may use these routes.
 */
import { Readable } from 'node:stream';
import { type Context, Hono } from 'hono';
import type { BackupDownload, Backups } from '../../app/backup/backups.ts';
import { BackupPassword } from '../../contract/backups.ts';
import { type ApiEnv, headerOf } from '../env.ts';
import { presentBackup, presentRestore } from '../present/backup.ts';
import { readOptionalBody } from '../read-body.ts';
import { answer, answerJson } from '../respond.ts';

export const OCTET_STREAM = 'application/octet-stream';

export function backupRoutes({ backups }: { readonly backups: Backups }): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .get('/', async (c) => answerJson((await backups.list(c.get('caller'))).map(presentBackup)))
    .post('/', (c) => answerJson(presentBackup(backups.create(c.get('caller')))))
    .get('/last-restore', (c) => answerJson(presentRestore(backups.lastRestore(c.get('caller')))))
    .get('/:name', async (c) => answerFile(c, await backups.read(c.get('caller'), c.req.param('name'))))
    .post('/:name/download', async (c) => {
      const { password } = await readOptionalBody(c, BackupPassword);
      return answerFile(c, await backups.read(c.get('caller'), c.req.param('name'), password));
    })
    .post('/:name/restore', async (c) => {
      const { password } = await readOptionalBody(c, BackupPassword);
      const name = c.req.param('name');
      return answerJson({ success: true, name, ...(await backups.restore(c.get('caller'), name, password)) }, 202);
    })
    .delete('/:name', (c) => {
      const { name } = backups.delete(c.get('caller'), c.req.param('name'));
      return answerJson({ success: true, name });
    });
}

/** A separate route, since its body is larger than any other and is streamed to the disk: it has its own limit. */
export function backupUpload({ backups }: { readonly backups: Backups }): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/upload', async (c) => {
    const length = headerOf(c, 'content-length');
    const body: AsyncIterable<Uint8Array> = c.req.raw.body ?? Readable.from([]);
    const announced = length === undefined ? undefined : Number(length);
    return answerJson(presentBackup(await backups.upload(c.get('caller'), body, announced)));
  });
}

function answerFile(c: Context<ApiEnv>, { fileName, bytes, content }: BackupDownload): Response {
  const isHead = c.req.method === 'HEAD';
  // A stream that is not read to its end has to be closed here.
  if (isHead) content.destroy();
  return answer(isHead ? null : (Readable.toWeb(content) as ReadableStream), 200, {
    'Content-Type': OCTET_STREAM,
    'Content-Length': String(bytes),
    'Content-Disposition': `attachment; filename="${fileName}"`,
  });
}
