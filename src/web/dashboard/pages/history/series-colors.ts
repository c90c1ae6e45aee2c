/** The colour of a series, by its index among the shown ones; the same in plots, legends and tables. */
import classes from './series-colors.module.css';

const CLASSES = [classes.first, classes.second, classes.third, classes.fourth, classes.fifth, classes.sixth];

export function colorClass(index: number): string {
  return CLASSES[index % CLASSES.length] ?? '';
}
