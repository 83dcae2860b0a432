import { posix } from 'node:path'
import { type Command, parse, type Redirect, type Word } from 'unbash'
import { filesOfPatch } from './adapter.ts'

/** What a shell line runs and writes, as far as its text says it. */
export interface ShellUse {
  /** The words of each command, without assignments and without programs that only start another. */
  readonly commands: readonly (readonly string[])[]
  /** The files that it writes, from the folder that it starts in, or absolute. */
  readonly writes: readonly string[]
}

/**
 * Reads which commands a shell line runs and which files it writes.
 *
 * Best effort: most variables, aliases, scripts and programs that write on their own are not seen.
 */
export function readShell(line: string, home: string, folder = '.'): ShellUse {
  const use = { commands: [] as string[][], writes: [] as string[] }
  readInto(use, line, { folder, home, depth: 0 })
  return use
}

interface Use {
  readonly commands: string[][]
  readonly writes: string[]
}

interface Place {
  /** The folder that relative paths start from; `cd` changes it. */
  folder: string
  readonly home: string
  readonly depth: number
}

/** Deeper scripts in scripts are not read. */
const DEEPEST = 5

function readInto(use: Use, line: string, place: Place): void {
  if (place.depth > DEEPEST) return
  try {
    visit(parse(line), use, place)
  } catch {
    // Too deep to parse: each line counts as one command.
    for (const one of line.split('\n')) use.commands.push(one.trim().split(/\s+/))
  }
}

/** Visits every command and redirection of a syntax tree, in the order of the text. */
function visit(node: unknown, use: Use, place: Place): void {
  if (Array.isArray(node)) for (const one of node) visit(one, use, place)
  else if (typeof node === 'object' && node !== null) {
    if (isCommand(node)) readCommand(node, use, place)
    if (isRedirect(node) && writesTo(node)) addPath(use, node.target?.value, place)
    const within = placeWithin(node, place)
    for (const part of Object.values(node)) visit(part, use, within)
    // The parser computes these on demand, so they are not among the values.
    if ('parts' in node) visit(node.parts, use, within)
  }
}

function isCommand(node: object): node is Command {
  return 'type' in node && node.type === 'Command'
}

/** A `cd` in a part that runs in its own shell ends with it. */
function placeWithin(node: object, place: Place): Place {
  const type = 'type' in node ? String(node.type) : ''
  return /^(?:Subshell|CommandExpansion|ProcessSubstitution)$/.test(type) ? { ...place } : place
}

function isRedirect(node: object): node is Redirect {
  return 'operator' in node && 'target' in node
}

function writesTo({ operator, target }: Redirect): boolean {
  if (operator === '>&') return !/^[0-9-]+$/.test(target?.value ?? '')
  return operator.includes('>')
}

function addPath(use: Use, path: string | undefined, place: Place): void {
  if (path === undefined || path === '' || path.startsWith('/dev/')) return
  use.writes.push(pathIn(path, place))
}

/** Systems refuse longer paths, and a line of many `cd` would take long to read. */
const LONGEST = 4096

function enter(path: string, place: Place): void {
  const folder = pathIn(path, place)
  if (folder.length <= LONGEST) place.folder = folder
}

/** A path as the shell reads it in a folder, with the two variables whose values are known. */
function pathIn(path: string, { folder, home }: Omit<Place, 'depth'>): string {
  const known = path
    .replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
    .replace(/^(?:\$PWD|\$\{PWD\})(?=\/|$)/, '.')
  return posix.isAbsolute(known) ? known : posix.join(folder, known)
}

function readCommand({ name, suffix, redirects }: Command, use: Use, place: Place): void {
  const all = [name, ...suffix].flatMap(word => (word ? [word] : [])).map(textOf)
  const [path = '', ...rest] = withoutStarters(all)
  const program = programOf(path)
  if (program === '') return
  if (/^(?:cd|pushd)$/.test(program)) enter(rest.at(-1) ?? '~', place)
  // A program of the repository is known by its path as well.
  if (path.includes('/')) use.commands.push([pathIn(path, place), ...rest])
  if (SHELLS.test(program)) readShellCall(rest, redirects, use, place)
  if (program === 'eval') readScripts([rest.join(' ')], use, place)
  const git = program === 'git' ? gitCommand(rest, place) : undefined
  use.commands.push([program, ...(git?.words ?? rest)])
  const within = git ? { ...place, folder: git.folder } : place
  const [verb = '', ...args] = git?.words ?? rest
  const files = git ? GIT[verb]?.(args) : WRITERS[program]?.(rest)
  for (const path of files ?? patched(program, [...rest, ...redirects.map(r => r.content)]))
    addPath(use, path, within)
}

/** Codex takes patches from a shell line too. */
function patched(program: string, texts: readonly (string | undefined)[]): string[] {
  if (!/^apply_?patch$/.test(program)) return []
  return texts.flatMap(text => (text === undefined ? [] : filesOfPatch(text)))
}

/** What a shell runs: the script after -c, a file by its path, or its input. */
function readShellCall(
  words: readonly string[],
  redirects: readonly Redirect[],
  use: Use,
  place: Place,
): void {
  const at = words.findIndex(word => /^-[a-z]*c$/.test(word))
  const scripts = at < 0 ? redirects.map(({ content }) => content) : [words[at + 1]]
  readScripts(scripts, use, place)
  const first = words.findIndex(word => !word.startsWith('-'))
  const [file, ...rest] = words.slice(first)
  if (at < 0 && first >= 0 && file) use.commands.push([pathIn(file, place), ...rest])
}

function readScripts(scripts: readonly (string | undefined)[], use: Use, place: Place): void {
  for (const script of scripts)
    if (script !== undefined) readInto(use, script, { ...place, depth: place.depth + 1 })
}

function textOf({ value }: Word): string {
  return value
}

const SHELLS = /^(?:ba|z|da|k)?sh$/

/** The name of a program: without its folder, and without the backslash that keeps an alias out. */
function programOf(path: string): string {
  return posix.basename(path).replace(/^\\/, '')
}

/** Programs that start the command after them, with their options that take a value. */
const STARTERS = new Map([
  ['sudo', 'ugChpRT'],
  ['doas', 'uC'],
  ['env', 'uC'],
  ['command', ''],
  ['builtin', ''],
  ['exec', 'a'],
  ['nohup', ''],
  ['time', 'fo'],
  ['nice', 'n'],
  ['xargs', 'adEILnPs'],
  ['timeout', 'ks'],
  ['setsid', ''],
])

/** Drops what only starts a command: `sudo -u ada env A=1 git push` is `git push`. */
function withoutStarters(words: readonly string[]): string[] {
  const rest = [...words]
  for (;;) {
    const valued = STARTERS.get(programOf(rest[0] ?? ''))
    if (valued === undefined) return rest
    rest.shift()
    while (/^-|^[A-Za-z_][A-Za-z0-9_]*=|^[0-9.]+[smhd]?$/.test(rest[0] ?? '')) {
      const option = rest.shift() ?? ''
      if (option.length === 2 && valued.includes(option.slice(1))) rest.shift()
    }
  }
}

/** The words of a Git command after its options for all commands, and the folder that it works in. */
function gitCommand(
  words: readonly string[],
  { folder: start, home }: Place,
): { words: string[]; folder: string } {
  const rest = [...words]
  let folder = start
  while (rest[0]?.startsWith('-')) {
    const option = rest.shift() ?? ''
    if (option === '-C') folder = pathIn(rest.shift() ?? '.', { folder, home })
    else if (/^(?:-c|--git-dir|--work-tree|--namespace|--exec-path)$/.test(option)) rest.shift()
  }
  return { words: rest, folder }
}

type FilesOf = (words: readonly string[]) => readonly string[]

const named: FilesOf = words => words.filter(word => !word.startsWith('-'))
const last: FilesOf = words => named(words).slice(-1)
/** Editors such as sed change their files only with -i; the script comes first unless -e or -f gives it. */
const inPlace: FilesOf = words => {
  if (!words.some(word => /^(?:-[a-zA-Z]*i|--in-place)/.test(word))) return []
  const at = words.findIndex(word => /^-(?:[a-zA-Z]*[ef])$/.test(word))
  return at < 0 ? named(words).slice(1) : named(words.toSpliced(at, 2))
}

/** The files that usual programs write, from their arguments. */
const WRITERS: Readonly<Record<string, FilesOf>> = {
  tee: named,
  touch: named,
  truncate: named,
  mkdir: named,
  rm: named,
  rmdir: named,
  unlink: named,
  mv: named,
  cp: last,
  ln: last,
  install: last,
  rsync: last,
  patch: named,
  sed: inPlace,
  perl: inPlace,
  dd: words => words.flatMap(word => (word.startsWith('of=') ? [word.slice(3)] : [])),
}

/** The files that Git commands write, from their arguments. */
const GIT: Readonly<Record<string, FilesOf>> = {
  rm: named,
  mv: named,
  restore: named,
  checkout: words => {
    if (words.includes('--')) return words.slice(words.indexOf('--') + 1)
    // A single word may be a branch.
    return words.some(word => /^(?:-[bBt]|--orphan|--track)/.test(word))
      ? []
      : named(words).slice(1)
  },
}
