export const en = {
  newVersion: 'A new version of the dashboard is ready.',
  reload: 'Reload',
};
