/** Accessories on the network that no controller has: they can be added. Nothing is shown without them. */
import connectionsTexts from 'texts:connections';
import { Button } from '@mantine/core';
import { Plug } from 'lucide-react';
import { useId } from 'react';
import { Link } from 'wouter';
import { present } from '../../api/graphql.ts';
import { useApiQuery } from '../../api/query.ts';
import { useFormat } from '../../texts/format.ts';
import { useTexts } from '../../texts/texts.ts';
import { DiscoveredQuery, groupDiscovered } from '../pair/discovered.ts';
import classes from './connections.module.css';
import { offerOf } from './network-offer.ts';

export function NetworkSection() {
  const { network: t } = useTexts(connectionsTexts);
  const format = useFormat();
  const id = useId();
  const { data } = useApiQuery(DiscoveredQuery, {}, { subjects: ['discovery'] });
  const found = groupDiscovered(present(data?.discoveredAccessories)).new;
  const offer = offerOf(found);
  if (!offer) return null;
  const names = offer.more > 0 ? [...offer.names, t.more({ count: offer.more })] : offer.names;
  return (
    <section className={classes.network} aria-labelledby={id}>
      <span className={classes.cardIcon} aria-hidden>
        <Plug />
      </span>
      <div className={classes.networkText}>
        <h2 id={id} className={classes.cardTitle}>
          {t.title}
        </h2>
        <p className={classes.cardLead}>{t.lead({ names: format.list(names), count: found.length })}</p>
      </div>
      <Button component={Link} href={offer.href} variant="default">
        {t.add}
      </Button>
    </section>
  );
}
