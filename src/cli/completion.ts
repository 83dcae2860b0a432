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
  readonly flags: readonly { readonly flag: string; readonly description: string }[]
  readonly formats: readonly string[]
}

function describe(entry: CatalogueEntry): Verb {
  const { name, summary, input } = entry.operation
  const own = Object.entries(input.properties)
    .filter(([, property]) => !property.positional)
    .map(([key, { description }]) => ({ flag: flagOf(key), description }))
  return { name, summary, flags: [...own, ...SHARED], formats: formatsOf(name) }
}

const SHARED = [
  { flag: '--format', description: 'How to show the result.' },
  { flag: '--now', description: 'Take this time for now.' },
  { flag: '--root', description: 'The repository’s root.' },
  { flag: '--quiet', description: 'Say less.' },
  { flag: '--help', description: 'Show help.' },
]

const SCRIPTS = { bash, zsh, fish }

function bash(verbs: readonly Verb[]): string {
  const cases = verbs.map(
    v =>
      `    ${v.name}) flags='${v.flags.map(f => f.flag).join(' ')}' formats='${v.formats.join(' ')}' ;;`,
  )
  return `_waybill() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} flags= formats=
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${verbs.map(v => v.name).join(' ')} help completion' -- "$current"))
    return
  fi
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  if [ "$before" = --format ]; then
    COMPREPLY=($(compgen -W "$formats" -- "$current"))
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
  const names = verbs.map(v => `    '${v.name}:${quoted(v.summary)}'`)
  const cases = verbs.map(v => {
    const flags = v.flags.map(({ flag, description }) => {
      const values = flag === '--format' ? `:format:(${v.formats.join(' ')})` : ''
      return `'${flag}[${quoted(description)}]${values}'`
    })
    return `    ${v.name}) _arguments ${flags.join(' ')} '*:file:_files' ;;`
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
${cases.join('\n')}
  esac
}
compdef _waybill waybill
`
}

function fish(verbs: readonly Verb[]): string {
  const quoted = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const lines = verbs.flatMap(v => [
    `complete -c waybill -f -n __fish_use_subcommand -a ${v.name} -d ${quoted(v.summary)}`,
    ...v.flags.map(({ flag, description }) => {
      const values = flag === '--format' ? ` -x -a ${quoted(v.formats.join(' '))}` : ''
      return `complete -c waybill -n '__fish_seen_subcommand_from ${v.name}' -l ${flag.slice(2)} -d ${quoted(description)}${values}`
    }),
  ])
  return `${lines.join('\n')}\n`
}
