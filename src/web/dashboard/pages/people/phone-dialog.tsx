/** How a person's phone reports presence: OwnTracks in its HTTP mode (`POST /owntracks`), step by step. */

import peopleTexts from 'texts:people';
import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useDeveloperMode } from '../../account/developer-mode.ts';
import { act } from '../../api/client.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { attempt } from '../../ui/attempt.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Hint, Note, Steps } from '../../ui/entries.tsx';
import { CreatePhoneToken } from './documents.ts';

export function PhoneDialog({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { phone: t } = useTexts(peopleTexts);
  const { id: homeId, latitude } = useHome();
  const address = `${location.origin}/owntracks?home=${homeId}`;
  return (
    <Dialog title={t.title({ name })} onClose={onClose} size="lg" foot={<Button onClick={onClose}>{t.close}</Button>}>
      <Stack>
        <Hint>{t.lead}</Hint>
        {latitude === null && <Note>{t.noPlace}</Note>}
        <Steps>
          <li>{t.install}</li>
          <li>
            {t.mode}
            <CopyField label={t.address} value={address} />
            <Hint>{t.reach}</Hint>
          </li>
          <li>
            {t.user}
            <CopyField label={t.userLabel} value={name} />
          </li>
          <li>
            {t.password}
            <PhonePassword name={name} />
          </li>
          <li>{t.place}</li>
        </Steps>
      </Stack>
    </Dialog>
  );
}

/** A token that can control only this home: presence reports affect automations. */
function PhonePassword({ name }: { readonly name: string }) {
  const { phone: t } = useTexts(peopleTexts);
  const { id: homeId } = useHome();
  const { canManage } = useRights();
  const { isOn, turnOn } = useDeveloperMode();
  const [token, setToken] = useState<string>();
  if (token !== undefined) return <CopyField label={t.passwordLabel} value={token} />;
  if (!canManage) return <Hint>{t.notManager}</Hint>;
  const make = async () => {
    const variables = { name: t.tokenName({ name }), homePermissions: JSON.stringify({ [homeId]: 'control' }) };
    const create = async () => {
      await turnOn();
      return act(CreatePhoneToken, variables);
    };
    const made = await attempt(create, 'tokens');
    setToken(made?.createAccessToken?.token ?? undefined);
  };
  return (
    <div>
      <Button variant="default" onClick={() => void make()}>
        {t.make}
      </Button>
      {!isOn && <Hint>{t.turnsOn}</Hint>}
    </div>
  );
}
