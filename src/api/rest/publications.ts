/** What homes publish to other ecosystems. Responses contain setup codes: only admins in person get them. */
import { Hono } from 'hono';
import type { Publications } from '../../app/publications/publications.ts';
import { NewPublication, PreviewRequest, PublicationChanges, WindowRequest } from '../../contract/publications.ts';
import type { ApiContext, ApiEnv } from '../env.ts';
import { presentController, presentPublication } from '../present/publication.ts';
import { readInput } from '../read-body.ts';
import { queryId } from '../read-query.ts';
import { answerJson } from '../respond.ts';

export function publicationRoutes({ publications }: { readonly publications: Publications }): Hono<ApiEnv> {
  /** A change of a publication without a body. */
  const change = (act: 'pause' | 'resume' | 'reset') => async (c: ApiContext) =>
    answerJson(presentPublication(await publications[act](c.get('caller'), c.req.param('id') ?? '')));
  return new Hono<ApiEnv>()
    .get('/', (c) => answerJson(publications.list(c.get('caller'), queryId(c, 'home')).map(presentPublication)))
    .post('/', async (c) => {
      const input = await readInput(c, NewPublication);
      return answerJson(presentPublication(await publications.create(c.get('caller'), input)));
    })
    .post('/preview', async (c) =>
      answerJson(publications.preview(c.get('caller'), await readInput(c, PreviewRequest))),
    )
    .get('/:id', (c) => answerJson(presentPublication(publications.get(c.get('caller'), c.req.param('id')))))
    .patch('/:id', async (c) => {
      const changes = await readInput(c, PublicationChanges);
      return answerJson(presentPublication(await publications.update(c.get('caller'), c.req.param('id'), changes)));
    })
    .delete('/:id', async (c) => {
      const id = c.req.param('id');
      await publications.delete(c.get('caller'), id);
      return answerJson({ success: true, publicationId: id.toLowerCase() });
    })
    .get('/:id/preview', (c) => answerJson(publications.previewSaved(c.get('caller'), c.req.param('id'))))
    .post('/:id/pause', change('pause'))
    .post('/:id/resume', change('resume'))
    .post('/:id/reset', change('reset'))
    .post('/:id/window', async (c) => {
      const input = await readInput(c, WindowRequest);
      return answerJson(presentPublication(await publications.openWindow(c.get('caller'), c.req.param('id'), input)));
    })
    .delete('/:id/window', async (c) =>
      answerJson(presentPublication(await publications.closeWindow(c.get('caller'), c.req.param('id')))),
    )
    .get('/:id/controllers', (c) =>
      answerJson(publications.controllers(c.get('caller'), c.req.param('id')).map(presentController)),
    )
    .delete('/:id/controllers/:identifier', (c) => {
      const { id, identifier } = c.req.param();
      publications.removeController(c.get('caller'), id, identifier);
      return answerJson({ success: true, publicationId: id.toLowerCase(), identifier });
    });
}
