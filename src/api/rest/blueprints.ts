/** Blueprints: those of the relay, those of files, and the automations that are made of them. */
import { Hono } from 'hono';
import type { Blueprints } from '../../app/automations/blueprints/blueprints.ts';
import { AppliedBlueprint, BlueprintFile } from '../../contract/blueprints.ts';
import { blueprintLanguage } from '../blueprint-language.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import type { GuardOptions } from '../guards.ts';
import { presentFlow } from '../present/flow.ts';
import { readInput } from '../read-body.ts';
import { queryText, requiredHome } from '../read-query.ts';
import { answerJson } from '../respond.ts';
import { webhookOrigin } from '../webhook-origin.ts';

export interface BlueprintRoutesDeps {
  readonly blueprints: Blueprints;
  readonly guards: GuardOptions;
}

export function blueprintRoutes({ blueprints, guards }: BlueprintRoutesDeps): Hono<ApiEnv> {
  const originOf = webhookOrigin(guards);
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(blueprints.list(c.get('caller'), requiredHome(c), languageOf(c))))
    .post('/read', async (c) => answerJson(blueprints.read(c.get('caller'), await readInput(c, BlueprintFile))))
    .post('/preview', async (c) =>
      answerJson(await blueprints.preview(c.get('caller'), await readInput(c, AppliedBlueprint))),
    )
    .post('/apply', async (c) => {
      const flow = await blueprints.apply(c.get('caller'), await readInput(c, AppliedBlueprint));
      return answerJson(presentFlow(flow, originOf(c)));
    })
    .get('/:id', (c) => answerJson(blueprints.get(c.get('caller'), requiredHome(c), c.req.param('id'), languageOf(c))));
}

/** An automation of either kind as a blueprint. */
export function blueprintOfAutomation({ blueprints }: BlueprintRoutesDeps): (c: ApiContext) => Response {
  return (c) => {
    const [name, description] = [queryText(c, 'name'), queryText(c, 'description')];
    const options = {
      language: languageOf(c),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    };
    return answerJson(blueprints.export(c.get('caller'), c.req.param('id') ?? '', options));
  };
}

function languageOf(c: ApiContext) {
  return blueprintLanguage(queryText(c, 'language'));
}
