/** The main control of a device that has two states, as one upright target whose knob is up or down. */
import type { ReactNode } from 'react';
import { type ToggleState, toggleSemantics } from '../reading.ts';
import classes from './big-controls.module.css';

interface PillProps {
  /** The name of the switch, or what a press does. */
  readonly label: string;
  /** On, open or unlocked. */
  readonly isUp: boolean;
  /** It was set here, and the device has not confirmed it. */
  readonly isSent?: boolean;
  /** The state in words. */
  readonly text: string;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  /** A switch has a state and a name; other pills are buttons that are named by what they do. */
  readonly toggle?: ToggleState;
  readonly onPress: () => void;
}

export function BigPill({ label, isUp, isSent = false, text, icon, isDisabled, toggle, ...props }: PillProps) {
  return (
    <div className={classes.big}>
      <output className={classes.value}>{text}</output>
      <button
        type="button"
        {...(toggle && toggleSemantics(toggle.confirmed))}
        aria-label={label}
        className={classes.pill}
        data-up={isUp || undefined}
        data-sent={isSent || undefined}
        disabled={isDisabled}
        onClick={props.onPress}
      >
        <span className={classes.knob} aria-hidden>
          {icon}
        </span>
      </button>
      {!toggle && (
        <span className={classes.label} aria-hidden>
          {label}
        </span>
      )}
    </div>
  );
}

interface PowerProps {
  readonly label: string;
  readonly toggle: ToggleState;
  readonly icon: ReactNode;
  readonly isDisabled: boolean;
  readonly onPress: () => void;
}

/** The switch below a big slider. */
export function RoundSwitch({ label, toggle: { isOn, isSent, confirmed }, icon, isDisabled, onPress }: PowerProps) {
  return (
    <button
      type="button"
      {...toggleSemantics(confirmed)}
      aria-label={label}
      title={label}
      className={classes.round}
      data-up={isOn || undefined}
      data-sent={isSent || undefined}
      disabled={isDisabled}
      onClick={onPress}
    >
      {icon}
    </button>
  );
}
