/** What an API calls the built-in scenes: their type, in place of an id that differs from home to home. */
export const BUILT_IN_SCENE_TYPES = ['sleep', 'home_departure'] as const;
