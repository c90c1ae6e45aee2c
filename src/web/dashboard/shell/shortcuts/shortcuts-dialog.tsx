/** Every keyboard shortcut, by where it works. */
import shortcutTexts from 'texts:shortcuts';
import { useTexts } from '../../texts/texts.ts';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './shortcuts.module.css';

interface ShortcutRow {
  readonly text: 'search' | 'help' | 'next' | 'press' | 'close' | 'change' | 'move' | 'menu' | 'room' | 'undo' | 'redo';
  /** Pressed together: the keys of one array. */
  readonly keys: readonly (readonly string[])[];
}

const PARTS = [
  {
    part: 'everywhere',
    rows: [
      { text: 'search', keys: [['/']] },
      { text: 'help', keys: [['?']] },
    ],
  },
  {
    part: 'moving',
    rows: [
      { text: 'next', keys: [['Tab'], ['Shift', 'Tab']] },
      { text: 'press', keys: [['Enter']] },
      { text: 'close', keys: [['Esc']] },
    ],
  },
  {
    part: 'things',
    rows: [
      { text: 'change', keys: [['←'], ['→']] },
      { text: 'move', keys: [['Space'], ['↑'], ['↓']] },
      { text: 'menu', keys: [['M']] },
      {
        text: 'room',
        keys: [
          ['Alt', '↑'],
          ['Alt', '↓'],
        ],
      },
    ],
  },
  {
    part: 'editor',
    rows: [
      { text: 'undo', keys: [['Ctrl', 'Z']] },
      { text: 'redo', keys: [['Ctrl', 'Shift', 'Z']] },
    ],
  },
] as const satisfies readonly { readonly part: string; readonly rows: readonly ShortcutRow[] }[];

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const t = useTexts(shortcutTexts);
  return (
    <Dialog title={t.title} onClose={onClose}>
      {PARTS.map(({ part, rows }) => (
        <section key={part}>
          <h3 className={classes.part}>{t.parts[part]}</h3>
          <dl className={classes.list}>
            {rows.map(({ text, keys }) => (
              <div key={text} className={classes.row}>
                <dt>{t.rows[text]}</dt>
                <dd className={classes.keys}>
                  {keys.map((together) => (
                    <span key={together.join('+')} className={classes.together}>
                      {together.map((key) => (
                        <kbd key={key} className={classes.key}>
                          {keyName(key, t.keys)}
                        </kbd>
                      ))}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}

function keyName(key: string, names: Readonly<Record<string, string>>): string {
  return names[key] ?? key;
}
