/** Evaluates an expression with the present values of a home. A route under those of flows. */
import { Hono } from 'hono';
import type { ExpressionPreviews } from '../../app/automations/expression-previews.ts';
import { NewExpressionPreview } from '../../contract/expressions.ts';
import type { ApiEnv } from '../env.ts';
import { readBody } from '../read-body.ts';
import { answerJson } from '../respond.ts';

interface ExpressionPreviewDeps {
  readonly expressionPreviews: ExpressionPreviews;
}

export function expressionPreviewRoutes({ expressionPreviews }: ExpressionPreviewDeps): Hono<ApiEnv> {
  return new Hono<ApiEnv>().post('/evaluate', async (c) => {
    const { homeId, ...input } = await readBody(c, NewExpressionPreview);
    return answerJson(expressionPreviews.evaluate(c.get('caller'), homeId, input));
  });
}
