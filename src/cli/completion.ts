import { GROUPS } from '../operations/groups.ts'
import { type CatalogueEntry, flagOf, formatsOf, type SHELLS } from './parse.ts'

/** A script that teaches a shell the verbs and flags of the catalogue. */
export function completion(
  shell: (typeof SHELLS)[number],
  catalogue: readonly CatalogueEntry[],
): string {
  return SCRIPTS[shell](catalogue.map(describe))
}

interface Verb {
  readonly name: string
  readonly summary: string
  readonly flags: readonly Flag[]
}

interface Flag {
  readonly flag: string
  readonly description: string
  /** The values that it may have, where they are few. */
  readonly choices?: readonly string[] | undefined
}

function describe(entry: CatalogueEntry): Verb {
  const { name, summary, input } = entry.operation
  const own = Object.entries(input.properties)
    .filter(([, property]) => !property.positional)
    .map(([key, { description, enum: choices }]) => ({ flag: flagOf(key), description, choices }))
  const format = {
    flag: '--format',
    description: 'How to show the result.',
    choices: formatsOf(name),
  }
  return { name, summary, flags: [...own, format, ...SHARED] }
}

const SHARED = [
  { flag: '--now', description: 'Take this time for now.' },
  { flag: '--root', description: 'The repository’s root.' },
  { flag: '--quiet', description: 'Say less.' },
  { flag: '--help', description: 'Show help.' },
]

const SCRIPTS = { bash, zsh, fish }

/** What may stand first on a line: verbs, and groups with the verbs in them. */
function firstWords(verbs: readonly Verb[]): { name: string; summary: string; within: Verb[] }[] {
  const names = [...new Set(verbs.map(({ name }) => name.split(' ')[0] ?? name))]
  return names.map(name => {
    const within = verbs.filter(verb => verb.name.startsWith(`${name} `))
    const summary = verbs.find(verb => verb.name === name)?.summary ?? GROUPS[name] ?? name
    return { name, summary, within }
  })
}

/** The verb of a group without the group. */
const lastWord = ({ name }: Verb) => name.slice(name.indexOf(' ') + 1)

function bash(verbs: readonly Verb[]): string {
  const cases = verbs.map(v => {
    const choices = v.flags.flatMap(({ flag, choices: its }) =>
      its ? `${flag}) choices='${its.join(' ')}' ;;` : [],
    )
    const flags = v.flags.map(({ flag }) => flag).join(' ')
    return `    '${v.name}') flags='${flags}'; case $before in ${choices.join(' ')} esac ;;`
  })
  const first = firstWords(verbs)
  const groups = first
    .filter(({ within }) => within.length > 0)
    .map(
      ({ name, within }) => `    ${name})
      if [ "$COMP_CWORD" -eq 2 ] && [ "\${current#-}" = "$current" ]; then
        COMPREPLY=($(compgen -W '${within.map(lastWord).join(' ')}' -- "$current"))
        return
      fi
      case \${COMP_WORDS[2]} in
        ${within.map(lastWord).join('|')}) verb="$verb \${COMP_WORDS[2]}" ;;
      esac ;;`,
    )
  return `_waybill() {
  local verb=\${COMP_WORDS[1]}
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} flags= choices=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${first.map(({ name }) => name).join(' ')} help completion' -- "$current"))
    return
  fi
  case $verb in
${groups.join('\n')}
  esac
  case $verb in
${cases.join('\n')}
  esac
  if [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$current"))
  elif [ "\${current#-}" != "$current" ]; then
    COMPREPLY=($(compgen -W "$flags" -- "$current"))
  else
    compopt -o default 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}
complete -F _waybill waybill
`
}

function zsh(verbs: readonly Verb[]): string {
  const quoted = (text: string) => text.replace(/['[\]:]/g, '')
  const first = firstWords(verbs)
  const names = first.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const groups = first
    .filter(({ within }) => within.length > 0)
    .map(
      ({ name, within }) => `    ${name})
      if (( CURRENT == 2 )) && [[ \${words[2]} != -* ]]; then
        local -a within=(${within.map(v => `'${lastWord(v)}:${quoted(v.summary)}'`).join(' ')})
        _describe verb within
        return
      fi
      case \${words[2]} in
        ${within.map(lastWord).join('|')})
          verb="$verb \${words[2]}"
          shift words
          (( CURRENT-- )) ;;
      esac ;;`,
    )
  const cases = verbs.map(v => {
    const flags = v.flags.map(({ flag, description, choices }) => {
      const values = choices ? `:${flag.slice(2)}:(${choices.join(' ')})` : ''
      return `'${flag}[${quoted(description)}]${values}'`
    })
    return `    '${v.name}') _arguments ${flags.join(' ')} '*:file:_files' ;;`
  })
  return `#compdef waybill
_waybill() {
  local -a verbs=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe verb verbs
    return
  fi
  local verb=\${words[2]}
  shift words
  (( CURRENT-- ))
  case $verb in
${groups.join('\n')}
  esac
  case $verb in
${cases.join('\n')}
  esac
}
compdef _waybill waybill
`
}

function fish(verbs: readonly Verb[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const seen = (name: string) => {
    const [first = '', second] = name.split(' ')
    const also = second ? `; and __fish_seen_subcommand_from ${second}` : ''
    return `'__fish_seen_subcommand_from ${first}${also}'`
  }
  const words = firstWords(verbs).flatMap(({ name, summary, within }) => [
    `complete -c waybill -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...within.map(
      v => `complete -c waybill -f -n ${seen(name)} -a ${lastWord(v)} -d ${quoted(v.summary)}`,
    ),
  ])
  const flags = verbs.flatMap(v =>
    v.flags.map(({ flag, description, choices }) => {
      const values = choices ? ` -x -a ${quoted(choices.join(' '))}` : ''
      return `complete -c waybill -n ${seen(v.name)} -l ${flag.slice(2)} -d ${quoted(description)}${values}`
    }),
  )
  return `${[...words, ...flags].join('\n')}\n`
}
