import { posix } from 'node:path'
import { counted, type Fields, type Files } from '../../contract/index.ts'
import { CLOCK_SKEW, type Ending, NOTE, packageOfHandoff } from '../../contracts/index.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  type HandoffContent,
  handoffFolder,
  handoffName,
  type Lineage,
  type LineageInForce,
  readDocumentHead,
  readInForce,
  readLineage,
  referenceTo,
  resolvePredecessor,
  slugOf,
} from '../../session/index.ts'
import { currentBranch, findGitRoot, loadConfig, openFiles } from '../../workspace/index.ts'
import type { App } from '../operation.ts'
import type { Participants } from './known.ts'
import type { KnownPart } from './output.ts'
import { pathWithin } from './place.ts'

/** The options of a new handoff document. */
export interface HandoffWish extends Participants {
  /** Its path from the root. */
  readonly path: string | undefined
  readonly adr: string | undefined
  readonly branch: string | undefined
  readonly slug: string | undefined
  /** The predecessor, relative to the current folder; `none` for none. */
  readonly continues: string | undefined
  /** The file of the content, from the root; it is no predecessor of what is made from it. */
  readonly source: string | undefined
  /** What the new document ends, and the person who ends rules. */
  readonly supersede: readonly Ending[]
  readonly by: string | undefined
  readonly draft: boolean
  /** A note: its decision record is optional. */
  readonly note: boolean
}

type Head = Lineage['members'][number]

/** A new handoff document before its sections. */
export interface Frame {
  readonly frontmatter: Fields
  readonly known: readonly KnownPart[]
  readonly path: string
  readonly predecessor: string | undefined
  /** What is in force before the new document. */
  readonly before: LineageInForce | undefined
  readonly notes: readonly string[]
}

/** Fills in the frontmatter, finds the predecessor and chooses the path of a new handoff. */
export async function frameOf(
  { frontmatter: given, sections }: HandoffContent,
  wish: HandoffWish,
  app: App,
): Promise<Frame> {
  const { ignore, headings } = await loadConfig(app.root)
  const { members, ...more } = await readLineage(app.root, { ignore, headings })
  const lineage = { ...more, members: members.filter(({ path }) => path !== wish.source) }
  const files = openFiles(app.root)
  const facts = new KnownFields({ ...given, ...(wish.note && { contract: NOTE }) })
  const ask = wish.draft ? undefined : app.ask
  const branch = await branchFor(facts, ask, wish, app)
  const now = Math.floor(app.now / 1000) * 1000
  facts.add('agent', wish.agent, wish.agentFrom)
  facts.add('session_id', wish.session, '--session')
  const named = await namedPredecessor(given, wish, app, files)
  const record = facts.add('adr_id', ...adrFrom(wish, named, branch, lineage))
  const adr = record ?? (wish.note ? undefined : await askForRecord(facts, ask))
  const stated = parseInstant(facts.add('timestamp', undefined, '') ?? '')
  const latest = stated ?? now + CLOCK_SKEW
  const head = named === undefined ? newestFor(wish, lineage, adr, latest) : (named ?? undefined)
  const before = head && readInForce(app.root, lineage.byPath.get(head.path) ?? head, lineage)
  const [own, clock] = timeAfter(head, now)
  const time = stated ?? own
  facts.add('timestamp', formatInstant(time), clock)
  const slug = slugOf(wish.slug ?? titleIn(sections) ?? '')
  const folder = handoffFolder(app.root, adr, besideOf(head, wish), ignore)
  const path = wish.path ?? posix.join(folder, handoffName(time, slug))
  addPredecessor(facts, head && referenceTo(head.path, path, files))
  return {
    frontmatter: facts.fields,
    known: facts.known,
    path,
    predecessor: head?.path,
    before,
    notes: notesOn(lineage, adr, head, latest),
  }
}

function addPredecessor(facts: KnownFields, reference: string | undefined): void {
  const isFirst = reference === undefined
  facts.add('mode', isFirst ? 'CREATE' : 'RESUME', isFirst ? 'no predecessor' : 'the predecessor')
  facts.add('continues_from', reference, 'the newest handoff')
}

/** Returns the time now, or that of a predecessor from a clock that is a little ahead, and its source. */
function timeAfter(head: Head | undefined, now: number): [number, string] {
  const before = head?.time ?? now
  return before > now && before <= now + CLOCK_SKEW
    ? [before, 'the predecessor, whose clock is ahead']
    : [now, 'the time']
}

/** A note may continue one that is in no folder of handoffs. */
function besideOf(head: Head | undefined, { note }: HandoffWish): string | undefined {
  return note && !head?.path.includes('handoffs/') ? undefined : head?.path
}

async function branchFor(
  facts: KnownFields,
  ask: App['ask'],
  wish: HandoffWish,
  app: App,
): Promise<string | undefined> {
  const known = facts.add('branch', ...branchFrom(wish, app))
  if (wish.note) return known
  return known ?? facts.add('branch', await ask?.('The Git branch of this work\n> '), 'your answer')
}

/** Asks again until the answer has the form of an id; Enter leaves it out. */
async function askForRecord(facts: KnownFields, ask: App['ask']): Promise<string | undefined> {
  let answer = await ask?.('The decision record, such as ADR-0.0.25\n> ')
  for (let tries = 1; answer && !RECORD.test(answer) && tries < MOST_TRIES; tries++)
    answer = await ask?.('It has the form ADR-<number>.<number>.<number>, such as ADR-0.0.25\n> ')
  return facts.add('adr_id', answer, 'your answer')
}

const RECORD = /^ADR-[0-9]+\.[0-9]+\.[0-9]+$/
const MOST_TRIES = 3

/** Collects fields that were not given, with their sources. */
class KnownFields {
  readonly known: KnownPart[] = []
  fields: Fields

  constructor(given: Fields) {
    this.fields = given
  }

  /** Sets the field unless it was given; returns its final value when that is a string. */
  add(field: string, value: string | undefined, from: string): string | undefined {
    const given = Object.hasOwn(this.fields, field) ? this.fields[field] : undefined
    if (given !== undefined && given !== null && given !== '')
      return typeof given === 'string' ? given : undefined
    if (value === undefined || value === '') return undefined
    this.fields = { ...this.fields, [field]: value }
    this.known.push({ field, value, from })
    return value
  }
}

/** Returns the predecessor that was named; null when `none` was given, `undefined` when nothing was given. */
async function namedPredecessor(
  { continues_from }: Fields,
  { continues, path, source }: HandoffWish,
  app: App,
  files: Files,
): Promise<Head | null | undefined> {
  if (continues === 'none') return null
  if (continues !== undefined) {
    const named = pathWithin(continues, app)
    if (named === source)
      throw new WaybillError('usage', `${continues} cannot continue itself: --from reads it`, {
        hint: 'name the handoff before it, or none',
      })
    if (files.kindOf(named) === 'file') return readDocumentHead(app.root, named)
    throw new WaybillError('not-found', `${continues} does not exist`, {
      hint: 'name an existing handoff, or none',
    })
  }
  if (typeof continues_from !== 'string' || continues_from === '') return undefined
  const found = resolvePredecessor(continues_from, path ?? 'handoffs/new.md', files)
  // The check reports a reference that cannot be resolved.
  return found.kind === 'found' ? readDocumentHead(app.root, found.path) : null
}

/** Returns the branch and its source; a detached head has none, and a note needs none. */
function branchFrom({ branch, note }: HandoffWish, { root }: App): [string | undefined, string] {
  if (branch !== undefined) return [branch, '--branch']
  if (findGitRoot(root) !== undefined) return [currentBranch(root), 'Git']
  return note ? [undefined, ''] : ['none', 'no Git repository; --branch names another']
}

/** Returns the decision record and its source. */
function adrFrom(
  { adr, path }: HandoffWish,
  named: Head | null | undefined,
  branch: string | undefined,
  { members }: Lineage,
): [string | undefined, string] {
  if (adr !== undefined) return [adr, '--adr']
  const inPackage = path === undefined ? undefined : packageOfHandoff(path)
  if (inPackage !== undefined) return [inPackage, 'the folder']
  if (named?.adr !== undefined) return [named.adr, 'the predecessor']
  const [, fromBranch] =
    /(?:^|[/_-])(adr-[0-9]+\.[0-9]+\.[0-9]+)(?![0-9.])/i.exec(branch ?? '') ?? []
  if (fromBranch !== undefined) return [fromBranch.toUpperCase(), 'the name of the branch']
  const onBranch = members.findLast(m => m.adr !== undefined && m.branch === branch)
  if (onBranch) return [onBranch.adr, 'the newest handoff of this branch']
  const all = new Set(members.flatMap(m => m.adr ?? []))
  return all.size === 1 ? [[...all][0], 'the only decision record with handoffs'] : [undefined, '']
}

/** Returns the handoff that a new one continues; notes need no decision record. */
function newestFor(
  { note }: HandoffWish,
  lineage: Lineage,
  adr: string | undefined,
  by: number,
): Head | undefined {
  return note ? newestHandoff(lineage, by) : newestOf(lineage, adr, by)
}

/** Returns the newest document of a decision record written before a time. */
function newestOf({ members }: Lineage, adr: string | undefined, by: number): Head | undefined {
  if (adr === undefined) return undefined
  return members.findLast(m => m.adr === adr && m.time !== undefined && m.time <= by)
}

/** Returns the newest handoff of any decision record; notes need none. */
function newestHandoff({ members }: Lineage, by: number): Head | undefined {
  return members.findLast(m => m.handoff && (m.time ?? m.modified ?? Infinity) <= by)
}

function notesOn(
  { members, successors, unreadable }: Lineage,
  adr: string | undefined,
  head: Head | undefined,
  by: number,
): string[] {
  const own = members.filter(m => adr !== undefined && m.adr === adr)
  const ends = own.filter(m => m.path !== head?.path && !successors.has(m))
  const later = ends.filter(m => m.time === undefined || m.time > by)
  const others = ends.filter(m => !later.includes(m))
  // Their decision record is unknown.
  const faulty = [
    ...members
      .filter(m => m.handoff && m.fault !== undefined && m.adr === undefined)
      .map(m => m.path),
    ...unreadable,
  ]
  const few = (paths: readonly string[]) => paths.slice(0, 3).join(', ')
  const shown = (list: readonly Head[]) => few(list.map(m => m.path))
  return [
    ...(others.length > 0
      ? [
          `${counted(others.length, 'other chain')} of ${adr} ${others.length === 1 ? 'is' : 'are'} still open; their open items are not carried over: ${shown(others)}`,
        ]
      : []),
    ...(later.length > 0
      ? [`skipped because their time is missing or after ${formatInstant(by)}: ${shown(later)}`]
      : []),
    ...(faulty.length > 0
      ? [`skipped because their open items cannot be read: ${few(faulty)}`]
      : []),
  ]
}

function titleIn(sections: HandoffContent['sections']): string | undefined {
  const title = sections.find(s => s.level === 1)?.title
  return title?.replace(/^handoff\s*:?\s*/i, '') || undefined
}
