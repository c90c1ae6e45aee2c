/** Importing the pairings of another controller (`app/pairings/import/`). */
import { Hono } from 'hono';
import type { PairingImports } from '../../app/pairings/import/pairing-imports.ts';
import { PairingImport } from '../../contract/pairings.ts';
import type { ApiEnv } from '../env.ts';
import { readInput } from '../read-body.ts';
import { answerJson } from '../respond.ts';

export function pairingImportRoutes({ pairingImports }: { readonly pairingImports: PairingImports }): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/import', async (c) => {
    const devices = await pairingImports.import(c.get('caller'), await readInput(c, PairingImport));
    return answerJson({ success: true, devices });
  });
}
