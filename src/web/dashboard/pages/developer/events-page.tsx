/** The home's events as API clients receive them, for developers: the latest ones, with a filter and a pause. */
import developerTexts from 'texts:developer';
import { Button, Group, Text, TextInput } from '@mantine/core';
import { useEffect, useReducer, useState } from 'react';
import { live } from '../../live/live-connection.ts';
import { exactTime } from '../../texts/exact-time.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { CardRows } from '../../ui/columns.tsx';
import classes from '../../ui/event-list.module.css';
import { Section } from '../../ui/page.tsx';
import { DeveloperFrame } from './developer-frame.tsx';
import { matching, NO_EVENTS, reduceEvents, type SeenEvent } from './event-log.ts';

export function EventsPage() {
  const { events: t } = useTexts(developerTexts);
  return (
    <DeveloperFrame lead={t.lead}>
      <CardRows>
        <EventsSection />
      </CardRows>
    </DeveloperFrame>
  );
}

function EventsSection() {
  const { events: t } = useTexts(developerTexts);
  const [log, dispatch] = useReducer(reduceEvents, NO_EVENTS);
  const [filter, setFilter] = useState('');
  useEffect(() => live.onEvent((event) => dispatch({ do: 'take', event })), []);
  const shown = matching(log.shown, filter);
  return (
    <Section>
      <Group gap={12} align="flex-end">
        <TextInput
          className={classes.grow ?? ''}
          label={t.filter}
          description={t.filterHint}
          value={filter}
          onChange={({ currentTarget }) => setFilter(currentTarget.value)}
          type="search"
        />
        <Button variant="default" onClick={() => dispatch({ do: log.isPaused ? 'resume' : 'pause' })}>
          {log.isPaused ? t.resume : t.pause}
        </Button>
        <Button variant="default" onClick={() => dispatch({ do: 'clear' })}>
          {t.clear}
        </Button>
      </Group>
      <Text role="status" c="dimmed" fz="sm">
        {shown.length > 0 ? t.count({ count: shown.length }) : log.shown.length === 0 ? t.waiting : t.none}
        {log.held.length > 0 && ` · ${t.held({ count: log.held.length })}`}
      </Text>
      {shown.length > 0 && (
        <ul className={classes.events} aria-label={t.list}>
          {shown.map((event) => (
            <EventEntry key={event.number} event={event} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function EventEntry({ event }: { readonly event: SeenEvent }) {
  const format = useFormat();
  return (
    <li>
      <details className={classes.event}>
        <summary>
          <time dateTime={event.timestamp}>{event.timestamp ? exactTime(event.timestamp, format) : ''}</time>
          <Text span fw={600}>
            {event.type}
          </Text>
          <span className={classes.gist}>{event.text}</span>
        </summary>
        <pre className={classes.code}>{JSON.stringify(event.data, null, 2)}</pre>
      </details>
    </li>
  );
}
