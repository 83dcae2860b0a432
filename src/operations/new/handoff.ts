import { posix } from 'node:path'
import { counted, type Fields, type Files } from '../../contract/index.ts'
import { CLOCK_SKEW, handoffFileNameOf, packageOfHandoff } from '../../contracts/index.ts'
import { formatInstant, parseInstant } from '../../document/index.ts'
import { WaybillError } from '../../error.ts'
import {
  bodyOf,
  type CarryAnswer,
  type HandoffContent,
  handoffFolder,
  handoffName,
  handoffText,
  type Lineage,
  readDocumentHead,
  readLineage,
  referenceTo,
  resolvePredecessor,
  slugOf,
} from '../../session/index.ts'
import { currentBranch, findGitRoot, loadConfig, openFiles } from '../../workspace/index.ts'
import { readSiblings } from '../check/sibling.ts'
import type { App } from '../operation.ts'
import { askWhatBecame, carryInto } from './carrying.ts'
import type { Participants } from './known.ts'
import type { Made } from './made.ts'
import type { KnownPart } from './output.ts'
import { pathWithin } from './place.ts'
import { askForSections, withMissingSections } from './sections.ts'

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
  readonly draft: boolean
}

type Head = Lineage['members'][number]

/** A new handoff document before its sections. */
interface Frame {
  readonly frontmatter: Fields
  readonly known: readonly KnownPart[]
  readonly path: string
  readonly predecessor: string | undefined
  readonly notes: readonly string[]
}

/** Builds a handoff document: frontmatter, path, and sections with the open items of its predecessor. */
export async function makeHandoff(
  given: HandoffContent,
  answers: readonly CarryAnswer[],
  wish: HandoffWish,
  app: App,
): Promise<Made> {
  const frame = await frameOf(given, wish, app)
  const ask = wish.draft ? undefined : app.ask
  const { predecessor } = frame
  const said = ask ? await askWhatBecame(given, predecessor, answers, app.root, ask) : answers
  const asked = ask ? await askForSections(given, ask, openFiles(app.root)) : given
  const carrying = await carryInto(asked, predecessor, said, app.root)
  const titled = withTitle(await withState(carrying.content, app), frame.path)
  const { content, missing } = await withMissingSections(
    { ...titled, frontmatter: frame.frontmatter },
    wish.draft,
  )
  return {
    path: frame.path,
    isFixed: wish.path !== undefined,
    text: handoffText(content),
    known: [...frame.known],
    missing: [...missing, ...carrying.lost],
    predecessor: predecessor ?? null,
    carried: carrying.carried,
    notes: [...frame.notes],
  }
}

async function frameOf(
  { frontmatter: given, sections }: HandoffContent,
  wish: HandoffWish,
  app: App,
): Promise<Frame> {
  const { ignore } = await loadConfig(app.root)
  const { members, ...more } = await readLineage(app.root, { ignore })
  const lineage = { ...more, members: members.filter(({ path }) => path !== wish.source) }
  const files = openFiles(app.root)
  const facts = new KnownFields(given)
  const ask = wish.draft ? undefined : app.ask
  const branch =
    facts.add('branch', ...branchFrom(wish, app)) ??
    facts.add('branch', await ask?.('The Git branch of this work\n> '), 'your answer')
  const now = Math.floor(app.now / 1000) * 1000
  facts.add('agent', wish.agent, wish.agentFrom)
  facts.add('session_id', wish.session, '--session')
  const named = await namedPredecessor(given, wish, app, files)
  const adr =
    facts.add('adr_id', ...adrFrom(wish, named, branch, lineage)) ??
    facts.add('adr_id', await ask?.('The decision record, such as ADR-0.0.25\n> '), 'your answer')
  const stated = parseInstant(facts.add('timestamp', undefined, '') ?? '')
  const latest = stated ?? now + CLOCK_SKEW
  const newest = newestOf(lineage, adr, latest)
  const head = named === undefined ? newest : (named ?? undefined)
  const [own, clock] = timeAfter(head, now)
  const time = stated ?? own
  facts.add('timestamp', formatInstant(time), clock)
  const slug = slugOf(wish.slug ?? titleIn(sections) ?? '')
  const folder = handoffFolder(app.root, adr, head?.path, ignore)
  const path = wish.path ?? posix.join(folder, handoffName(time, slug))
  facts.add('mode', head ? 'RESUME' : 'CREATE', head ? 'the predecessor' : 'no predecessor')
  if (head) facts.add('continues_from', referenceTo(head.path, path, files), 'the newest handoff')
  return {
    frontmatter: facts.fields,
    known: facts.known,
    path,
    predecessor: head?.path,
    notes: notesOn(lineage, adr, head, latest),
  }
}

/** Returns the time now, or that of a predecessor from a clock that is a little ahead, and its source. */
function timeAfter(head: Head | undefined, now: number): [number, string] {
  const before = head?.time ?? now
  return before > now && before <= now + CLOCK_SKEW
    ? [before, 'the predecessor, whose clock is ahead']
    : [now, 'the time']
}

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

/** Returns the branch and its source; a detached head has none. */
function branchFrom({ branch }: HandoffWish, { root }: App): [string | undefined, string] {
  if (branch !== undefined) return [branch, '--branch']
  return findGitRoot(root) === undefined
    ? ['none', 'no Git repository; --branch names another']
    : [currentBranch(root), 'Git']
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

/** Returns the newest document of a decision record written before a time. */
function newestOf({ members }: Lineage, adr: string | undefined, by: number): Head | undefined {
  if (adr === undefined) return undefined
  return members.findLast(m => m.adr === adr && m.time !== undefined && m.time <= by)
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

/** Adds a title when the content has none. */
function withTitle(content: HandoffContent, path: string): HandoffContent {
  if (content.preamble || content.sections.some(s => s.level === 1)) return content
  const name = handoffFileNameOf(path).replace(/(?:\.draft)?\.[a-z]+$/i, '')
  const words = name
    .replace(/^[0-9TZ-]*Z-?/, '')
    .replaceAll('-', ' ')
    .trim()
  const title = words && words !== 'handoff' ? `Handoff: ${words}` : 'Handoff'
  return { ...content, sections: [{ title, level: 1, body: '' }, ...content.sections] }
}

const SUMMARY = 'Current State Summary'
const STATE_FILE = 'SESSION_STATE.yaml'

/** Adds the phase of SESSION_STATE.yaml to the summary when that file exists. */
async function withState(content: HandoffContent, { root }: App): Promise<HandoffContent> {
  const summary = bodyOf(content.sections, SUMMARY)
  if (summary === '' || openFiles(root).kindOf(STATE_FILE) !== 'file') return content
  const { siblings } = await readSiblings(root, STATE_FILE, {
    wants: name => name === 'session-state',
  })
  const { Phase, Next } = (siblings[0]?.value ?? {}) as Fields
  if (Phase === undefined || summary.includes(`\`${STATE_FILE}\``)) return content
  const next = typeof Next === 'string' && Next !== '' ? `, next is ${inline(Next)}` : ''
  const line = `By \`${STATE_FILE}\` the session is in phase ${inline(String(Phase))}${next}.`
  return {
    ...content,
    sections: content.sections.map(s =>
      s.level === 2 && s.title === SUMMARY ? { ...s, body: `${s.body}\n\n${line}` } : s,
    ),
  }
}

function inline(text: string): string {
  return `\`${text.replace(/[`\s]+/g, ' ').trim()}\``
}
