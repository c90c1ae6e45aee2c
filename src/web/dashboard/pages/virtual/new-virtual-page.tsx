/** Creates a virtual accessory: first its kind, then the matching form. */

import virtualTexts from 'texts:virtual';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useApiMutation } from '../../api/query.ts';
import { useHome } from '../../home/use-home.ts';
import { useTexts } from '../../texts/texts.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Page } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './virtual.module.css';
import { CreateVirtual } from './virtual-documents.ts';
import { VirtualForm } from './virtual-form.tsx';
import { newFields, presentFields, VIRTUAL_ICONS, VIRTUAL_KINDS, type VirtualKind } from './virtual-kinds.ts';

export function NewVirtualPage() {
  const [kind, setKind] = useState<VirtualKind>();
  return kind ? <NewForm kind={kind} onBack={() => setKind(undefined)} /> : <ChooseKind onChoose={setKind} />;
}

function ChooseKind({ onChoose }: { readonly onChoose: (kind: VirtualKind) => void }) {
  const t = useTexts(virtualTexts);
  return (
    <Page title={t.create} lead={t.chooseKind} above={<BackLink href="/virtual">{t.title}</BackLink>} isTimeless>
      <ul className={classes.kinds}>
        {VIRTUAL_KINDS.map((kind) => {
          const Icon = VIRTUAL_ICONS[kind];
          return (
            <li key={kind}>
              <button type="button" className={classes.kind} onClick={() => onChoose(kind)}>
                <Icon aria-hidden />
                <span>
                  <strong>{t.kinds[kind].name}</strong>
                  {t.kinds[kind].what}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
    </Page>
  );
}

function NewForm({ kind, onBack }: { readonly kind: VirtualKind; readonly onBack: () => void }) {
  const t = useTexts(virtualTexts);
  const { id: homeId, rooms } = useHome();
  const [, go] = useLocation();
  const create = useApiMutation(CreateVirtual, {
    subjects: ['inventory'],
    onDone: ({ createVirtualAccessory: made }) => {
      if (made) showToast({ text: t.created({ name: made.name }) });
      go('/virtual');
    },
  });
  const roomId = rooms.find(({ isDefault }) => isDefault)?.id ?? '';
  return (
    <Page
      title={t.newOf({ kind: t.kinds[kind].name })}
      lead={t.kinds[kind].what}
      above={<BackLink href="/virtual">{t.title}</BackLink>}
      narrow
      isTimeless
    >
      <VirtualForm
        kind={kind}
        first={{ name: '', roomId, controllable: true, fields: newFields(kind, t.modes.split(', ')) }}
        error={create.error}
        isBusy={create.isPending}
        onCancel={onBack}
        onSubmit={({ name, fields, ...more }) =>
          create.mutate({ homeId, type: kind, name, ...more, data: presentFields(kind, fields) })
        }
      />
    </Page>
  );
}
