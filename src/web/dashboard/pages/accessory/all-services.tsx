/** All services and characteristics of the device, unfiltered, for experts. */
import { characteristicLabel, characteristicText } from '../../devices/panels/characteristic-text.ts';
import { usePanelWords } from '../../devices/panels/panel.ts';
import type { HomeAccessory, HomeService } from '../../home/home-document.ts';
import { useTexts } from '../../texts/texts.ts';
import classes from './accessory-page.module.css';
import { accessoryTexts } from './texts/texts.ts';

export function AllServices({ accessory }: { readonly accessory: HomeAccessory }) {
  const t = useTexts(accessoryTexts);
  return (
    <details className={classes.details}>
      <summary>{t.details}</summary>
      {accessory.services.map((service) => (
        <ServiceFacts key={service.id} service={service} />
      ))}
    </details>
  );
}

function ServiceFacts({ service }: { readonly service: HomeService }) {
  const t = useTexts(accessoryTexts);
  const { t: words, format } = usePanelWords();
  const kind = words.services[service.type] ?? characteristicLabel(service.type, words);
  return (
    <section className={classes.service}>
      <h3 className={classes.serviceTitle}>
        {service.name && service.name !== kind ? `${service.name} (${kind})` : kind}
        {service.isHidden && <span className={classes.hidden}> · {t.hidden}</span>}
      </h3>
      <dl className={classes.facts}>
        {service.characteristics.map((characteristic) => (
          <div key={characteristic.id} className={classes.fact}>
            <dt>{characteristicLabel(characteristic.type, words)}</dt>
            <dd>{characteristicText(characteristic, words, format) ?? '–'}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
