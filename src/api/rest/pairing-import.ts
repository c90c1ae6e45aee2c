/** Importing the pairings of another controller (`app/pairings/import/`). */
import { Hono } from 'hono';
import { z } from 'zod';
import type { PairingImports } from '../../app/pairings/import/pairing-imports.ts';
import type { ApiEnv } from '../env.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export const PairingImport = z.strictObject({
  homeId: z.string().nullish(),
  /** The file's content: JSON, or its text. */
  data: z.unknown(),
  dryRun: z.boolean().optional(),
});

export function pairingImportRoutes({ pairingImports }: { readonly pairingImports: PairingImports }): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/import', async (c) => {
    const devices = await pairingImports.import(c.get('caller'), await readBody(c, PairingImport));
    return answerJson({ success: true, devices });
  });
}
