/** Measured values with their names. */
import classes from './controls.module.css';

export interface Reading {
  readonly label: string;
  readonly value: string | undefined;
}

export function Readings({ readings }: { readonly readings: readonly Reading[] }) {
  const known = readings.filter(({ value }) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <dl className={classes.readings}>
      {known.map(({ label, value }, index) => (
        <div key={`${label} ${index}`} className={classes.reading}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
