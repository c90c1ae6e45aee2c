/** What energy costs: the tariff in words, and its form for who manages the home. */
import commonTexts from 'texts:common';
import energyTexts from 'texts:energy';
import { Button, Group, NativeSelect, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { present } from '../../api/graphql.ts';
import { useApiMutation, useApiQuery } from '../../api/query.ts';
import { useHome, useRights } from '../../home/use-home.ts';
import { TimeOfDayInput } from '../../pickers/time-of-day-input.tsx';
import { WeekdaysInput, weekdayName } from '../../pickers/weekdays-input.tsx';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { useErrorText } from '../../ui/error-text.ts';
import { useLeaveGuard } from '../../ui/leave-guard.ts';
import { Answer, ErrorNotice, Section } from '../../ui/page.tsx';
import { showToast } from '../../ui/toasts.tsx';
import classes from './energy.module.css';
import { RemoveTariff, SetTariff, type Tariff, TariffQuery } from './energy-documents.ts';
import { useEnergyFormat } from './energy-format.ts';
import { argumentsOf, errorsOf, fieldOf, KINDS, newRate, type TariffValues, valuesOf } from './tariff-form.ts';

const DAYS_A_WEEK = 7;
const PRICE_DIGITS = 5;

export function TariffSection() {
  const t = useTexts(energyTexts).tariff;
  const common = useTexts(commonTexts);
  const { id: home } = useHome();
  const { canManage } = useRights();
  const [isOpen, setOpen] = useState(false);
  const query = useApiQuery(TariffQuery, { home }, { subjects: ['energy'] });
  const remove = useApiMutation(RemoveTariff, { subjects: ['energy'], onDone: () => showToast({ text: t.removed }) });
  return (
    <Section title={t.title}>
      <Answer query={query}>
        {({ energyTariff }) => {
          const tariff = energyTariff?.tariff ?? null;
          if (isOpen) return <TariffForm tariff={tariff} onClose={() => setOpen(false)} />;
          return (
            <Stack>
              <TariffWords tariff={tariff} />
              {remove.error && <ErrorNotice error={remove.error} />}
              {canManage && (
                <Group>
                  <Button variant="default" onClick={() => setOpen(true)}>
                    {tariff ? t.change : t.set}
                  </Button>
                  {energyTariff && (energyTariff.tariffs?.length ?? 0) > 0 && (
                    <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate({ home })}>
                      {common.remove}
                    </Button>
                  )}
                </Group>
              )}
            </Stack>
          );
        }}
      </Answer>
    </Section>
  );
}

function TariffWords({ tariff }: { readonly tariff: Tariff | null }) {
  const t = useTexts(energyTexts).tariff;
  const format = useEnergyFormat();
  const { locale, list } = useFormat();
  if (!tariff) return <Text>{t.none}</Text>;
  const { currency, kind, price, rates, since } = tariff;
  const costOf = (value: number): string => t.perKwh({ price: format.cost(value, currency) });
  return (
    <>
      {kind === 'fixed' && price !== null && <Text>{costOf(price)}</Text>}
      {kind === 'spot' && <Text>{price === null ? t.spotWords : t.spotElse({ price: costOf(price) })}</Text>}
      {kind === 'times' && (
        <ul className={classes.list}>
          {present(rates).map(({ price: ofRate, days: given, start, end }) => {
            const days = given ?? [];
            const named = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'].flatMap((day, index) =>
              days.includes(day) && days.length < DAYS_A_WEEK ? [weekdayName(index, locale, 'short')] : [],
            );
            return (
              <li key={`${start} ${days.join()}`} className={classes.row}>
                <span className={classes.name}>{[list(named), `${start}–${end}`].filter(Boolean).join(' ')}</span>
                <span className={classes.value}>{costOf(ofRate)}</span>
              </li>
            );
          })}
        </ul>
      )}
      {since !== null && <Text c="dimmed">{t.sinceWords({ day: format.day(since) })}</Text>}
    </>
  );
}

interface TariffFormProps {
  readonly tariff: Tariff | null;
  readonly onClose: () => void;
}

function TariffForm({ tariff, onClose }: TariffFormProps) {
  const t = useTexts(energyTexts).tariff;
  const common = useTexts(commonTexts);
  const { locale } = useFormat();
  const errorText = useErrorText();
  const { id: home } = useHome();
  const [error, setError] = useState<unknown>();
  const form = useForm<TariffValues>({
    initialValues: valuesOf(tariff),
    validate: (values) => errorsOf(values, t, locale),
  });
  const set = useApiMutation(SetTariff, { subjects: ['energy'] });
  useLeaveGuard(form.isDirty());
  const save = async (values: TariffValues) => {
    setError(undefined);
    try {
      await set.mutateAsync({ home, ...argumentsOf(values) });
      showToast({ text: t.saved });
      onClose();
    } catch (refusal) {
      if (refusal instanceof ApiError && refusal.field !== undefined) {
        form.setErrors({ [fieldOf(refusal.field)]: errorText(refusal) });
      } else setError(refusal);
    }
  };
  const { kind } = form.values;
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void save(values))}>
      <Stack>
        <NativeSelect
          label={t.kind}
          data={KINDS.map((value) => ({ value, label: t.kinds[value] }))}
          {...form.getInputProps('kind')}
        />
        <SimpleGrid minColWidth="min(100%, 160px)" autoFlow="auto-fit" spacing={12}>
          <TextInput label={t.currency} maxLength={3} {...form.getInputProps('currency')} />
          {kind !== 'times' && (
            <NumberInput
              label={kind === 'spot' ? t.elsePrice : t.price}
              decimalScale={PRICE_DIGITS}
              hideControls
              {...form.getInputProps('price')}
            />
          )}
        </SimpleGrid>
        {kind === 'times' && <Rates form={form} />}
        {kind === 'spot' && <Text c="dimmed">{t.spotHint}</Text>}
        <TextInput type="date" label={t.since} description={t.sinceHint} {...form.getInputProps('since')} />
        {error !== undefined && <ErrorNotice error={error} />}
        <Group>
          <Button type="submit" loading={set.isPending}>
            {common.save}
          </Button>
          <Button variant="default" onClick={onClose}>
            {common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Rates({ form }: { readonly form: UseFormReturnType<TariffValues> }) {
  const t = useTexts(energyTexts).tariff;
  const common = useTexts(commonTexts);
  const { rates } = form.values;
  const errorOf = (path: string): string | undefined => {
    const error = form.errors[path];
    return typeof error === 'string' ? error : undefined;
  };
  return (
    <Stack>
      {rates.map(({ key, days, start, end }, index) => (
        <fieldset key={key} className={classes.rate}>
          <legend>{t.rate({ number: String(index + 1) })}</legend>
          <SimpleGrid minColWidth="min(100%, 120px)" autoFlow="auto-fit" spacing={12}>
            <TimeOfDayInput
              label={t.start}
              value={start}
              error={errorOf(`rates.${index}.start`)}
              onChange={(value) => form.setFieldValue(`rates.${index}.start`, value)}
            />
            <TimeOfDayInput
              label={t.end}
              value={end}
              error={errorOf(`rates.${index}.end`)}
              onChange={(value) => form.setFieldValue(`rates.${index}.end`, value)}
            />
            <NumberInput
              label={t.price}
              decimalScale={PRICE_DIGITS}
              hideControls
              {...form.getInputProps(`rates.${index}.price`)}
            />
          </SimpleGrid>
          <WeekdaysInput
            value={days}
            sunday={0}
            error={errorOf(`rates.${index}.days`)}
            onChange={(value) => form.setFieldValue(`rates.${index}.days`, value)}
          />
          <Group>
            <Button
              variant="default"
              aria-label={t.removeRate({ number: String(index + 1) })}
              onClick={() => form.removeListItem('rates', index)}
            >
              {common.remove}
            </Button>
          </Group>
        </fieldset>
      ))}
      {errorOf('rates') && (
        <Text c="var(--h-bad-ink)" role="alert">
          {errorOf('rates')}
        </Text>
      )}
      <Group>
        <Button variant="default" onClick={() => form.insertListItem('rates', newRate('00:00', '00:00'))}>
          {t.addRate}
        </Button>
      </Group>
    </Stack>
  );
}
