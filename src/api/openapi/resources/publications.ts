import { z } from 'zod';
import {
  DeletedPublication,
  NewPublication,
  PreviewRequest,
  Publication,
  PublicationChanges,
  PublicationController,
  PublicationPreview,
  RemovedPublicationController,
  WindowRequest,
} from '../../../contract/publications.ts';
import type { Resource } from '../operation.ts';
import { ANY_HOME } from '../parameters.ts';

const NAMES_NOTHING = [404] as const;
const NOW = { description: 'The publication as it is now.', schema: Publication };

export const publications: Resource = {
  tag: 'Publications',
  description:
    'What a home publishes to other ecosystems, such as Apple Home: whole homes, rooms, types, single accessories, groups, and scenes as switches. ' +
    'Setup codes let controllers in that no role limits, so only admins of the home in person use these routes, and the command line.',
  operations: [
    {
      method: 'get',
      path: '/rest/publications',
      id: 'listPublications',
      summary: 'The publications of a home, or of all homes',
      audience: 'admin, signed in',
      query: [ANY_HOME],
      answer: { description: 'The publications, by name.', schema: z.array(Publication) },
      errors: [400, 404],
    },
    {
      method: 'post',
      path: '/rest/publications',
      id: 'createPublication',
      summary: 'Publish a home',
      description: 'Its servers are open when the answer comes. `error` has the reason if they are not.',
      audience: 'admin, signed in',
      body: {
        schema: NewPublication,
        examples: {
          'The whole home': { name: 'Hearth', kind: 'homekit' },
          'Over Matter': { name: 'Hearth', kind: 'matter' },
          'With a PIN for locks': { name: 'Hearth', kind: 'matter', lockPin: '482915' },
          Lights: { name: 'Lights', kind: 'homekit', selection: { scope: 'selected', types: ['light'] } },
        },
      },
      answer: { description: 'The publication with its codes.', schema: Publication },
      errors: NAMES_NOTHING,
    },
    {
      method: 'post',
      path: '/rest/publications/preview',
      id: 'previewPublication',
      summary: 'What a selection would publish, as what, and what it can’t',
      audience: 'admin, signed in',
      body: {
        schema: PreviewRequest,
        examples: { 'The whole home': { kind: 'homekit', selection: { scope: 'home' } } },
      },
      answer: { description: 'The preview. Nothing is stored.', schema: PublicationPreview },
      errors: NAMES_NOTHING,
    },
    {
      method: 'get',
      path: '/rest/publications/:id',
      id: 'getPublication',
      summary: 'One publication with its codes',
      audience: 'admin, signed in',
      answer: { description: 'The publication.', schema: Publication },
    },
    {
      method: 'patch',
      path: '/rest/publications/:id',
      id: 'updatePublication',
      summary: 'Rename a publication, or change what it publishes or its PIN for locks',
      description:
        'What stays published keeps its ids, and so its room and automations in the other ecosystem. A lock that gets a PIN, or needs none any more, is the same to controllers, with other features.',
      audience: 'admin, signed in',
      body: {
        schema: PublicationChanges,
        examples: {
          'Rename it': { name: 'Home' },
          'No PIN for locks': { lockPin: null },
          'Lights only': { selection: { scope: 'selected', types: ['light'] } },
        },
      },
      answer: NOW,
    },
    {
      method: 'delete',
      path: '/rest/publications/:id',
      id: 'deletePublication',
      summary: 'Delete a publication',
      description: 'With its identity: controllers lose it for good.',
      audience: 'admin, signed in',
      answer: { description: 'It is gone.', schema: DeletedPublication },
    },
    {
      method: 'get',
      path: '/rest/publications/:id/preview',
      id: 'previewSavedPublication',
      summary: 'What a publication publishes, as what, and what it can’t',
      audience: 'admin, signed in',
      answer: { description: 'The preview.', schema: PublicationPreview },
    },
    {
      method: 'post',
      path: '/rest/publications/:id/pause',
      id: 'pausePublication',
      summary: 'Close a publication until it is resumed',
      audience: 'admin, signed in',
      answer: NOW,
    },
    {
      method: 'post',
      path: '/rest/publications/:id/resume',
      id: 'resumePublication',
      summary: 'Open a paused publication',
      audience: 'admin, signed in',
      answer: NOW,
    },
    {
      method: 'post',
      path: '/rest/publications/:id/reset',
      id: 'resetPublication',
      summary: 'Give a publication another identity and other codes',
      description: 'All controllers are removed and have to add it again.',
      audience: 'admin, signed in',
      answer: NOW,
    },
    {
      method: 'post',
      path: '/rest/publications/:id/window',
      id: 'openPublicationWindow',
      summary: 'Let controllers be added over Matter',
      description:
        'By the codes of the bridge, until the time is over or one was added. A bridge without controllers is always open. HomeKit has no window: 422.',
      audience: 'admin, signed in',
      body: { schema: WindowRequest, examples: { 'Five minutes': { durationSeconds: 300 } } },
      answer: NOW,
    },
    {
      method: 'delete',
      path: '/rest/publications/:id/window',
      id: 'closePublicationWindow',
      summary: 'Let no controller be added over Matter',
      audience: 'admin, signed in',
      answer: NOW,
    },
    {
      method: 'get',
      path: '/rest/publications/:id/controllers',
      id: 'listPublicationControllers',
      summary: 'The controllers that are paired with a publication',
      audience: 'admin, signed in',
      answer: { description: 'The controllers of all its bridges.', schema: z.array(PublicationController) },
    },
    {
      method: 'delete',
      path: '/rest/publications/:id/controllers/:identifier',
      pathParameters: { identifier: 'The identifier of the controller.' },
      id: 'removePublicationController',
      summary: 'Remove a controller',
      description: 'With the last admin of a bridge, all its controllers are removed (HAP specification §5.11).',
      audience: 'admin, signed in',
      answer: { description: 'It is gone.', schema: RemovedPublicationController },
    },
  ],
};
