import type { Operation, Resource } from '../operation.ts';

const CLOUD_ONLY = 'Always 404: background images are available in the Cloud edition only.';

const refused: Pick<Operation, 'description' | 'audience' | 'errors'> = {
  description: CLOUD_ONLY,
  audience: 'token',
  errors: [404],
};

export const background: Resource = {
  tag: 'Background images',
  description: 'A feature of the Cloud edition; here its addresses answer so.',
  operations: [
    {
      method: 'get',
      path: '/rest/background/presets',
      id: 'listBackgroundPresets',
      summary: 'Preset background images (Cloud edition only)',
      ...refused,
    },
    {
      method: 'post',
      path: '/rest/background',
      id: 'uploadBackground',
      summary: 'Upload a background image (Cloud edition only)',
      ...refused,
    },
    {
      method: 'delete',
      path: '/rest/background',
      id: 'deleteBackground',
      summary: 'Delete a background image (Cloud edition only)',
      ...refused,
      query: [{ name: 'filename', description: 'The name of the file.' }],
    },
  ],
};
