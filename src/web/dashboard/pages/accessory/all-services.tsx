/** All services and characteristics of the device, unfiltered, for experts. */

import accessoryTexts from 'texts:accessory';
import { Box, Text } from '@mantine/core';
import { characteristicLabel, characteristicText } from '../../devices/panels/characteristic-text.ts';
import { usePanelWords } from '../../devices/panels/panel.ts';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { textOf, useTexts } from '../../texts/texts.ts';
import classes from './accessory-page.module.css';

export function AllServices({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  return (
    <details className={classes.services}>
      <summary>{t.allServices}</summary>
      {accessory.services.map((service) => (
        <ServiceFacts key={service.id} service={service} />
      ))}
    </details>
  );
}

function ServiceFacts({ service }: { readonly service: HomeService }) {
  const t = useTexts(accessoryTexts);
  const { t: panel, words } = usePanelWords();
  const kind = textOf(panel.services, service.type) ?? characteristicLabel(service.type, words.texts);
  return (
    <Box component="section" p="4px 18px 16px">
      <Box component="h3" fz="md" m="8px 0" className="h-anywhere">
        {service.name && service.name !== kind ? `${service.name} (${kind})` : kind}
        {service.isHidden && (
          <Text span c="dimmed" fw={400}>
            {' '}
            · {t.hidden}
          </Text>
        )}
      </Box>
      <Box component="dl" m={0}>
        {service.characteristics.map((characteristic) => (
          <div key={characteristic.id} className={classes.fact}>
            <dt>{characteristicLabel(characteristic.type, words.texts)}</dt>
            <dd>{characteristicText(characteristic, words) ?? '–'}</dd>
          </div>
        ))}
      </Box>
    </Box>
  );
}
