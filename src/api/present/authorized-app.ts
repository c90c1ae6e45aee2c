import type { AuthorizedApp as StoredApp } from '../../app/oauth/authorized-apps.ts';
import type { AuthorizedApp } from '../../contract/authorized-apps.ts';
import { presentTime } from './time.ts';

export function presentApp(app: StoredApp): AuthorizedApp {
  return { ...app, createdAt: presentTime(app.createdAt), lastUsedAt: presentTime(app.lastUsedAt) };
}
