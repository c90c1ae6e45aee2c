/** Changes the icon of an accessory or a service group, with undo in a toast. A toast shows the error too. */
import commonTexts from 'texts:common';
import iconTexts from 'texts:icons';
import { ask } from '../../api/client.ts';
import { graphql } from '../../api/graphql.ts';
import { refresh } from '../../api/query.ts';
import type { HomeAccessory } from '../../home/home-document.ts';
import { homeStore } from '../../home/home-store.ts';
import { textsNow } from '../../texts/texts.ts';
import { errorText } from '../../ui/error-text.ts';
import { showToast } from '../../ui/toasts.tsx';

const SetAccessoryIcon = graphql(`
  mutation SetAccessoryIcon($accessoryId: String!, $icon: String) {
    setAccessoryIcon(accessoryId: $accessoryId, icon: $icon) {
      id
    }
  }
`);

const SetGroupIcon = graphql(`
  mutation SetGroupIcon($groupId: String!, $icon: String) {
    updateServiceGroup(groupId: $groupId, icon: $icon) {
      id
    }
  }
`);

type Iconed = Pick<HomeAccessory, 'id' | 'name' | 'icon'>;

/** @param icon `null` restores the icon of its kind */
export async function setIcon({ id, name, icon: before }: Iconed, icon: string | null): Promise<void> {
  if (!(await send(id, icon))) return;
  const t = textsNow(iconTexts);
  showToast({
    text: icon === null ? t.restored({ name }) : t.chosen({ name }),
    action: { label: textsNow(commonTexts).undo, run: () => void send(id, before) },
  });
}

async function send(id: string, icon: string | null): Promise<boolean> {
  try {
    if (homeStore.isGroup(id)) await ask(SetGroupIcon, { groupId: id, icon });
    else await ask(SetAccessoryIcon, { accessoryId: id, icon });
    return true;
  } catch (error) {
    showToast({ tone: 'bad', text: errorText(error) });
    return false;
  } finally {
    refresh('inventory', 'groups');
  }
}
