import { counted, listed, quote, type Severity } from '../contract/index.ts'
import { formatDuration } from '../document/index.ts'
import type { Lineage, Member } from './lineage.ts'
import type { LineageCode } from './lineage-codes.ts'
import { type Descent, descentOf, type Family, familiesOf } from './lineage-families.ts'

/** Something wrong with a lineage, or worth knowing; an error breaks it. */
export interface LineageProblem {
  readonly code: LineageCode
  readonly severity: Severity
  readonly message: string
  readonly hint: string
  /** The documents that it is about, by their paths. */
  readonly documents: readonly string[]
}

/** Everything that is wrong with a lineage or worth knowing about it, errors first; linear in its size. */
export function problemsOf(lineage: Lineage): readonly LineageProblem[] {
  const families = familiesOf(lineage)
  const found = [
    ...lineage.unreadable.map(unreadableFolder),
    ...lineage.members.flatMap(linkProblems),
    ...families.flatMap(circle),
    ...forks(lineage),
    ...merges(lineage, descentOf(families, lineage)),
    ...apart(families),
  ]
  const rank = { error: 0, warning: 1, info: 2 }
  return found.sort((a, b) => rank[a.severity] - rank[b.severity])
}

function unreadableFolder(path: string): LineageProblem {
  return {
    code: 'lineage/unreadable',
    severity: 'error',
    message: `the folder ${quote(path)} cannot be read`,
    hint: 'make it readable: handoffs may stand in it',
    documents: [path],
  }
}

function linkProblems(member: Member): LineageProblem[] {
  const { path, fault } = member
  const found: LineageProblem[] = []
  const add = (
    code: LineageCode,
    severity: Severity,
    message: string,
    hint: string,
    other?: Member,
  ) =>
    found.push({
      code,
      severity,
      message: `${quote(path)} ${message}`,
      hint,
      documents: other ? [path, other.path] : [path],
    })
  const reference = quote(member.continuesFrom ?? '')
  if (fault !== undefined && member.handoff)
    add(
      'lineage/unreadable',
      'error',
      `cannot be placed: ${fault}`,
      'waybill check says what is wrong',
    )
  if (member.lost === 'missing')
    add('lineage/missing', 'error', `continues from ${reference}, which does not exist`, MEND_LINK)
  if (member.lost === 'outside')
    add(
      'lineage/outside',
      'error',
      `continues from ${reference}, which is not in the repository`,
      MEND_LINK,
    )
  if (member.handoff && fault === undefined && member.time === undefined)
    add('lineage/undated', 'warning', 'states no time that can be read', 'mend its timestamp')
  if (member.predecessor) addPredecessor(member, member.predecessor, add)
  return found
}

const MEND_LINK =
  "correct 'continues_from', bring the document back, or leave the key empty where the chain begins"

type Add = (
  code: LineageCode,
  severity: Severity,
  message: string,
  hint: string,
  other: Member,
) => void

function addPredecessor(member: Member, before: Member, add: Add): void {
  if (member.time !== undefined && before.time !== undefined && before.time > member.time) {
    const later = formatDuration(before.time - member.time)
    add(
      'lineage/reordered',
      'error',
      `continues from ${nameOf(before.path)}, which is ${later} newer`,
      'correct the wrong one of the two timestamps, or name the right predecessor',
      before,
    )
  }
  if (!before.handoff)
    add(
      'lineage/foreign',
      'warning',
      `continues from ${nameOf(before.path)}, which is no handoff document, or a draft of one`,
      'name the handoff document that it carries on',
      before,
    )
  if (member.alias !== undefined)
    add(
      'lineage/alias',
      'info',
      `reaches ${nameOf(before.path)} by another name, ${quote(member.alias)}`,
      'name the document itself, so that everybody follows the same link',
      before,
    )
}

const SHOWN = 4

/** A document by the last part of its path, which has its time and its subject. */
function nameOf(path: string): string {
  return quote(path.slice(path.lastIndexOf('/') + 1))
}

/** The first few of many names, and how many more there are. */
function few(paths: readonly string[]): string {
  const names = paths.slice(0, SHOWN).map(nameOf)
  const more = paths.length - names.length
  return listed(more > 0 ? [...names, `${more} more`] : names)
}

function circle({ root, members }: Family): LineageProblem[] {
  if (!root.predecessor) return []
  const round: string[] = []
  const seen = new Set<Member>()
  let at: Member | undefined = root
  for (; at && !seen.has(at); at = at.predecessor) seen.add(at)
  // The oldest document of a family may only lead into the circle.
  const start = at
  for (let next = start; next; next = next.predecessor) {
    if (round.length > 0 && next === start) break
    round.push(next.path)
  }
  const [first = ''] = round
  const names = round.slice(0, SHOWN).map(nameOf)
  const end = round.length > SHOWN ? `… (${counted(round.length, 'document')})` : nameOf(first)
  const behind = members.length - round.length
  return [
    {
      code: 'lineage/circle',
      severity: 'error',
      message: `the chain runs in a circle: ${[...names, end].join(' → ')}${behind > 0 ? `; ${counted(behind, 'more document')} hang on it` : ''}`,
      hint: "empty 'continues_from' in the document with which the chain really begins",
      documents: round,
    },
  ]
}

function forks({ successors }: Lineage): LineageProblem[] {
  return [...successors].flatMap(([member, later]): LineageProblem[] => {
    if (later.length < 2) return []
    const paths = later.map(({ path }) => path)
    return [
      {
        code: 'lineage/fork',
        severity: 'info',
        message: `${quote(member.path)} is carried on by ${counted(later.length, 'document')}: ${few(paths)}`,
        hint: 'whoever goes on should read all of them',
        documents: [member.path, ...paths],
      },
    ]
  })
}

/**
 * Sessions whose documents carry on documents of different lines.
 *
 * A document names one predecessor, so that a merge can only be seen in a session that took up several.
 */
function merges({ members }: Lineage, descent: Descent): LineageProblem[] {
  const taken = new Map<string, Set<Member>>()
  for (const { session, predecessor } of members) {
    if (session === undefined || !predecessor || predecessor.session === session) continue
    const before = taken.get(session)
    if (before) before.add(predecessor)
    else taken.set(session, new Set([predecessor]))
  }
  return [...taken].flatMap(([session, before]): LineageProblem[] => {
    const paths = before.size < 2 ? [] : tipsOf([...before], descent).map(({ path }) => path)
    if (paths.length < 2) return []
    return [
      {
        code: 'lineage/merge',
        severity: 'info',
        message: `the session ${quote(session)} brings ${counted(paths.length, 'line')} together: ${few(paths)}`,
        hint: 'each of its documents names one predecessor only; read the others too',
        documents: paths,
      },
    ]
  })
}

/** Those of some documents that none of the others descends from. */
function tipsOf(some: Member[], { position, last }: Descent): Member[] {
  const at = (member: Member | undefined) => (member && position.get(member)) ?? 0
  some.sort((a, b) => at(a) - at(b))
  return some.filter((member, i) => {
    const next = some[i + 1]
    return !next || at(next) > (last.get(member) ?? 0)
  })
}

/** Chains of the same decision record that nothing joins, and documents that stand beside its chains. */
function apart(families: readonly Family[]): LineageProblem[] {
  const whole = families.filter(({ root }) => !root.lost && !root.predecessor)
  const chains = new Map<string, Family[]>()
  for (const family of whole) {
    if (family.members.length < 2) continue
    for (const adr of new Set(family.members.map(member => member.adr))) {
      if (adr !== undefined) chains.set(adr, [...(chains.get(adr) ?? []), family])
    }
  }
  return [...[...chains].flatMap(parallel), ...whole.flatMap(family => orphan(family, chains))]
}

function parallel([adr, chains]: [string, Family[]]): LineageProblem[] {
  if (chains.length < 2) return []
  const paths = chains.map(({ root }) => root.path)
  return [
    {
      code: 'lineage/parallel',
      severity: 'info',
      message: `${quote(adr)} has ${counted(chains.length, 'chain')} that nothing joins; they begin with ${few(paths)}`,
      hint: 'whoever goes on should read the end of each',
      documents: paths,
    },
  ]
}

function orphan(
  { root, members }: Family,
  chains: ReadonlyMap<string, readonly Family[]>,
): LineageProblem[] {
  if (members.length > 1 || root.adr === undefined || !chains.has(root.adr)) return []
  return [
    {
      code: 'lineage/orphan',
      severity: 'warning',
      message: `${quote(root.path)} stands alone, though ${quote(root.adr)} has a chain`,
      hint: "name the document that it carries on in 'continues_from'",
      documents: [root.path],
    },
  ]
}
