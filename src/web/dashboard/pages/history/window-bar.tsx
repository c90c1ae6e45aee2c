/** The period of the plots: common lengths, earlier and later, and two dates for custom periods. */

import historyTexts from 'texts:history';
import { Button, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ChevronLeft, ChevronRight, RotateCcw, ZoomOut } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTexts } from '../../texts/texts.ts';
import { PeriodControl } from '../../ui/period-control.tsx';
import classes from './history.module.css';
import { boundsOf, isZoomed, moved, type PlotWindow, SPANS, type WindowSpan, widened, zoomed } from './window.ts';

const SPAN_NAMES = Object.keys(SPANS) as WindowSpan[];

interface WindowBarProps {
  readonly window: PlotWindow;
  readonly onChange: (window: PlotWindow) => void;
}

export function WindowBar({ window, onChange }: WindowBarProps) {
  const t = useTexts(historyTexts);
  const isReset = !isZoomed(window);
  const beforeZoom = useRef<number>(SPANS['24h']);
  if (isReset) beforeZoom.current = window.spanMs;
  return (
    <div className={classes.bar}>
      <PeriodControl
        label={t.span}
        value={SPAN_NAMES.find((span) => SPANS[span] === window.spanMs) ?? ''}
        periods={SPAN_NAMES}
        texts={t.spans}
        onChange={(span) => onChange({ ...window, spanMs: SPANS[span] })}
      />
      <Button.Group className={classes.turns ?? ''}>
        <Button variant="default" px="sm" onClick={() => onChange(moved(window, -1, Date.now()))}>
          <ChevronLeft aria-hidden size={18} />
          {t.earlier}
        </Button>
        <Button
          variant="default"
          px="sm"
          disabled={window.to === undefined}
          onClick={() => onChange(moved(window, 1, Date.now()))}
        >
          {t.later}
          <ChevronRight aria-hidden size={18} />
        </Button>
      </Button.Group>
      <Button variant="default" px="sm" onClick={() => onChange(widened(window, Date.now()))}>
        <ZoomOut aria-hidden size={18} />
        &nbsp;{t.zoomOut}
      </Button>
      {!isReset && (
        <Button variant="default" px="sm" onClick={() => onChange({ spanMs: beforeZoom.current, to: undefined })}>
          <RotateCcw aria-hidden size={18} />
          &nbsp;{t.resetZoom}
        </Button>
      )}
      {window.to !== undefined && (
        <Button variant="default" px="sm" onClick={() => onChange({ ...window, to: undefined })}>
          {t.toNow}
        </Button>
      )}
      <OtherDates window={window} onChange={onChange} />
    </div>
  );
}

function OtherDates({ window, onChange }: WindowBarProps) {
  const t = useTexts(historyTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow shadow="md">
      <Popover.Target>
        <Button variant="default" px="sm" onClick={() => setOpen(!isOpen)}>
          {t.custom}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <DatesForm
          window={window}
          onChange={(chosen) => {
            setOpen(false);
            onChange(chosen);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

function DatesForm({ window, onChange }: WindowBarProps) {
  const t = useTexts(historyTexts);
  const bounds = boundsOf(window, Date.now());
  const form = useForm({
    initialValues: { from: localText(bounds.from), to: localText(bounds.to) },
    validate: { to: (to, { from }) => (Date.parse(from) < Date.parse(to) ? null : t.badDates) },
  });
  return (
    <form onSubmit={form.onSubmit(({ from, to }) => onChange(zoomed(Date.parse(from), Date.parse(to))))}>
      <Stack>
        <TextInput type="datetime-local" label={t.from} required {...form.getInputProps('from')} />
        <TextInput type="datetime-local" label={t.to} required {...form.getInputProps('to')} />
        <Group justify="flex-end">
          <Button type="submit">{t.show}</Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The format of a date and time field, in this device's local time. */
function localText(at: number): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}
