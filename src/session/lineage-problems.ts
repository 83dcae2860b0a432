import { counted, listed, quote, type Severity } from '../contract/index.ts'
import { formatDuration } from '../document/index.ts'
import type { Lineage, Member } from './lineage.ts'
import type { LineageCode } from './lineage-codes.ts'
import { type Descent, descentOf, type Family, familiesOf } from './lineage-families.ts'

/** A problem of a lineage; errors break it. */
export interface LineageProblem {
  readonly code: LineageCode
  readonly severity: Severity
  readonly message: string
  readonly hint: string
  /** The paths of the documents concerned. */
  readonly documents: readonly string[]
}

/** All problems of a lineage, errors first; linear in its size. */
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
    hint: 'make it readable: it may contain handoffs',
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
      `cannot be placed in the lineage: ${fault}`,
      'run waybill check',
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
  if (member.handoff && fault === undefined && member.time === undefined && !member.note)
    add('lineage/undated', 'warning', 'has no valid timestamp', 'correct its timestamp')
  if (member.predecessor) addPredecessor(member, member.predecessor, add)
  return found
}

const MEND_LINK =
  "correct 'continues_from', restore the document, or leave the key empty if the chain starts here"

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
      `continues from ${nameOf(before.path)}, which is not a handoff document or is a draft`,
      'name the handoff document that it continues',
      before,
    )
  if (member.alias !== undefined)
    add(
      'lineage/alias',
      'info',
      `refers to ${nameOf(before.path)} by another path, ${quote(member.alias)}`,
      'name the document itself, so that every checkout follows the same link',
      before,
    )
}

const SHOWN = 4

/** The file name of a document, which has its time and subject. */
function nameOf(path: string): string {
  return quote(path.slice(path.lastIndexOf('/') + 1))
}

/** The first few names, and how many more there are. */
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
  // The oldest document of a family may lead into the cycle without being part of it.
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
      message: `the chain contains a cycle: ${[...names, end].join(' → ')}${behind > 0 ? `; ${counted(behind, 'more document')} lead into it` : ''}`,
      hint: "empty 'continues_from' in the first document of the chain",
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
        message: `${quote(member.path)} is continued by ${counted(later.length, 'document')}: ${few(paths)}`,
        hint: 'read all of them before you continue',
        documents: [member.path, ...paths],
      },
    ]
  })
}

/**
 * Sessions whose documents continue different lines.
 *
 * A document names one predecessor, so a merge only shows in a session that continues several lines.
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
        message: `the session ${quote(session)} merges ${counted(paths.length, 'line')}: ${few(paths)}`,
        hint: 'each of its documents names only one predecessor; read the others too',
        documents: paths,
      },
    ]
  })
}

/** The documents that none of the others descends from. */
function tipsOf(some: Member[], { position, last }: Descent): Member[] {
  const at = (member: Member | undefined) => (member && position.get(member)) ?? 0
  some.sort((a, b) => at(a) - at(b))
  return some.filter((member, i) => {
    const next = some[i + 1]
    return !next || at(next) > (last.get(member) ?? 0)
  })
}

/** Unconnected chains of one decision record, and single documents outside of its chains. */
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
      message: `${quote(adr)} has ${counted(chains.length, 'chain')}, not connected; they begin with ${few(paths)}`,
      hint: 'read the latest document of each before you continue',
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
      message: `${quote(root.path)} is not linked to the chain of ${quote(root.adr)}`,
      hint: "name the document that it continues in 'continues_from'",
      documents: [root.path],
    },
  ]
}
