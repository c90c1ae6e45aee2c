/**
 * Developer Mode of the account. A session without it may not see or create access tokens and webhooks (decisions
 * §7): creating one turns it on, and the page explains that first.
 */
import { act } from '../api/client.ts';
import { refreshed } from '../api/query.ts';
import { UpdateSettings, useSettings } from './account.ts';

export function useDeveloperMode() {
  const { developerMode: isOn } = useSettings();
  /** @throws `ApiError` */
  const turnOn = async (): Promise<void> => {
    if (isOn) return;
    await act(UpdateSettings, { data: { developerMode: true } });
    await refreshed('account');
  };
  return { isOn, turnOn };
}
