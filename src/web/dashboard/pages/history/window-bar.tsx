/** The period of the plots: common lengths, earlier and later, and two dates for custom periods. */

import '../../ui/unseen.css';
import historyTexts from 'texts:history';
import { Button, type ButtonProps, Group, Popover, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import {
  CalendarDays,
  ChevronLast,
  ChevronLeft,
  ChevronRight,
  type LucideIcon,
  RotateCcw,
  ZoomOut,
} from 'lucide-react';
import { type Ref, useRef, useState } from 'react';
import { useHomeZone } from '../../home/home-zone.ts';
import { useTexts } from '../../texts/texts.ts';
import { momentOf, wallText } from '../../texts/wall-time.ts';
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
      <div className={classes.moves}>
        <Button.Group className={classes.turns ?? ''}>
          <MoveButton icon={ChevronLeft} label={t.earlier} onClick={() => onChange(moved(window, -1, Date.now()))} />
          <MoveButton
            icon={ChevronRight}
            label={t.later}
            isIconLast
            disabled={window.to === undefined}
            onClick={() => onChange(moved(window, 1, Date.now()))}
          />
        </Button.Group>
        <MoveButton icon={ZoomOut} label={t.zoomOut} onClick={() => onChange(widened(window, Date.now()))} />
        {!isReset && (
          <MoveButton
            icon={RotateCcw}
            label={t.resetZoom}
            onClick={() => onChange({ spanMs: beforeZoom.current, to: undefined })}
          />
        )}
        {window.to !== undefined && (
          <MoveButton icon={ChevronLast} label={t.toNow} onClick={() => onChange({ ...window, to: undefined })} />
        )}
        <OtherDates window={window} onChange={onChange} />
      </div>
    </div>
  );
}

interface MoveButtonProps extends ButtonProps {
  readonly icon: LucideIcon;
  /** Beside the icon; on phones for screen readers alone. */
  readonly label: string;
  readonly isIconLast?: boolean;
  readonly onClick: () => void;
  readonly ref?: Ref<HTMLButtonElement>;
}

function MoveButton({ icon: Icon, label, isIconLast = false, ...button }: MoveButtonProps) {
  return (
    <Button {...button} variant="default" px="sm" className={classes.move ?? ''} data-last={isIconLast || undefined}>
      <Icon aria-hidden size={18} />
      <span className="h-unseen-phone">{label}</span>
    </Button>
  );
}

function OtherDates({ window, onChange }: WindowBarProps) {
  const t = useTexts(historyTexts);
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} trapFocus withArrow shadow="md">
      <Popover.Target>
        <MoveButton icon={CalendarDays} label={t.custom} onClick={() => setOpen(!isOpen)} />
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
  const zone = useHomeZone();
  const bounds = boundsOf(window, Date.now());
  const form = useForm({
    initialValues: { from: wallText(bounds.from, zone), to: wallText(bounds.to, zone) },
    validate: { to: (to, { from }) => (momentOf(from, zone) < momentOf(to, zone) ? null : t.badDates) },
    transformValues: ({ from, to }) => ({ from: Date.parse(momentOf(from, zone)), to: Date.parse(momentOf(to, zone)) }),
  });
  return (
    <form onSubmit={form.onSubmit(({ from, to }) => onChange(zoomed(from, to)))}>
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
