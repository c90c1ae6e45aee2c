import type { Command, Option } from 'commander';
import { defineCommand } from '../define-command.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** `hearthd completion bash|zsh|fish`: prints a completion script, generated from the command tree. */
export const completionCommand = defineCommand({
  name: 'completion',
  description: 'print a completion script for the shell',
  arguments: [['<shell>', 'shell', SHELLS]],
  examples: [
    'hearthd completion bash | sudo tee /etc/bash_completion.d/hearthd',
    'hearthd completion zsh > ~/.zfunc/_hearthd   # with ~/.zfunc in fpath',
    'hearthd completion fish > ~/.config/fish/completions/hearthd.fish',
  ],
  async run({ output, program }, shell) {
    const script = COMPLETIONS[shell](pathsOf(program));
    output.result({ shell, script }, () => output.terminal.out(script));
  },
});

/** A position in the command tree: "token create", and the words that may follow. */
interface Place {
  readonly path: string;
  /** Subcommands, and the choices of an argument. */
  readonly words: readonly Word[];
  readonly options: readonly Word[];
}

interface Word {
  readonly word: string;
  readonly meaning: string;
}

const COMPLETIONS: Readonly<Record<Shell, (places: readonly Place[]) => string>> = { bash, zsh, fish };

function pathsOf(command: Command, path: readonly string[] = [], inherited: readonly Word[] = []): readonly Place[] {
  const options = [...inherited, ...command.options.flatMap(wordsOf)];
  const own: Place = {
    path: path.join(' '),
    words: [
      ...command.commands.map((child) => ({ word: child.name(), meaning: child.description() })),
      ...command.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((choice) => ({ word: choice, meaning: description })),
      ),
    ],
    options: [...options, { word: '--help', meaning: 'show help' }],
  };
  return [own, ...command.commands.flatMap((child) => pathsOf(child, [...path, child.name()], options))];
}

function wordsOf(option: Option): readonly Word[] {
  return option.long ? [{ word: option.long, meaning: option.description }] : [];
}

function bash(places: readonly Place[]): string {
  const cases = places.map(({ path, words, options }) => {
    const list = (some: readonly Word[]): string => some.map(({ word }) => word).join(' ');
    return `    '${path}') commands='${list(words)}'; options='${list(options)}' ;;`;
  });
  return `# bash completion of hearthd. Made by: hearthd completion bash
_hearthd() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word index commands options
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    case " ${places
      .filter(({ path }) => path !== '')
      .map(({ path }) => path.replaceAll(' ', ':'))
      .join(' ')} " in
      *" \${path:+\${path// /:}:}$word "*) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  if [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
  elif [[ -n $commands ]]; then
    COMPREPLY=($(compgen -W "$commands" -- "$current"))
  else
    COMPREPLY=()
  fi
}
complete -o default -F _hearthd hearthd
`;
}

function zsh(places: readonly Place[]): string {
  const described = (some: readonly Word[]): string =>
    some.map(({ word, meaning }) => quote(`${word.replaceAll(':', '\\:')}:${meaning}`)).join(' ');
  const cases = places.map(
    ({ path, words, options }) =>
      `    ${quote(path)}) commands=(${described(words)}); options=(${described(options)}) ;;`,
  );
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quote(path));
  return `#compdef hearthd
# zsh completion of hearthd. Made by: hearthd completion zsh
_hearthd() {
  local -a commands options known
  local word where=''
  known=(${known.join(' ')})
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if (( \${known[(Ie)\${where:+$where }$word]} )); then where="\${where:+$where }$word"; fi
  done
  case "$where" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    _describe -o 'option' options
  elif (( \${#commands} )); then
    _describe 'command' commands
  else
    _default
  fi
}
if [[ "\${funcstack[1]}" == _hearthd ]]; then _hearthd "$@"; else compdef _hearthd hearthd; fi
`;
}

function fish(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => fishQuote(path));
  const cases = places.map(({ path, words, options }) => {
    const offers = [...words, ...options].flatMap(({ word, meaning }) => [fishQuote(word), fishQuote(meaning)]);
    return `    case ${fishQuote(path)}\n      printf '%s\\t%s\\n' ${offers.join(' ')}`;
  });
  return `# fish completion of hearthd. Made by: hearthd completion fish
function __hearthd_offers
  set -l places ${known.join(' ')}
  set -l where
  for word in (commandline -opc)[2..-1]
    if contains -- (string join -- ' ' $where $word) $places
      set where $where $word
    end
  end
  switch "$where"
${cases.join('\n')}
  end
end
# Files are offered only where no words are.
function __hearthd_has_words
  __hearthd_offers | string match -qv -- '-*'
end
complete -c hearthd -n __hearthd_has_words -f
complete -c hearthd -a '(__hearthd_offers)'
`;
}

/** fish has two escapes inside single quotes. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
