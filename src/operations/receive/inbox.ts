import { readdirSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { formatAge, formatInstant, maskSecrets, parseInstant } from '../../document/index.ts'
import { claimsOf, entryAt, indicesOf, summaryIn } from '../../governance/index.ts'
import type { LogReader } from '../../ledger/index.ts'
import { cannotRead, listFiles } from '../../workspace/index.ts'
import { fromRoot } from '../gateway/passed.ts'
import { readSource } from '../gateway/source.ts'
import { openLedger } from '../log/open.ts'
import type { App } from '../operation.ts'
import { fieldsOf, listOf } from '../show/said.ts'
import type { InboxOutput, WaitingHandoff } from './output.ts'

const ENVELOPE = '.dsse.json'
/** The longest text of a request to show. */
const LONGEST = 1000

interface Wanted {
  /** A folder of delivered handoffs; by default the whole repository. */
  readonly path?: string | undefined
  readonly as?: string | undefined
}

/** Lists the handoffs with an envelope that this repository has not accepted yet, oldest first. */
export async function inbox({ path, as }: Wanted, app: App): Promise<InboxOutput> {
  const { log } = await openLedger(app)
  const waiting: WaitingHandoff[] = []
  for (const file of deliveredIn(path, app)) {
    const one = await waitingIn(file, log, app)
    if (one && (as === undefined || one.to === as)) waiting.push(one)
  }
  waiting.sort((a, b) => (a.sent ?? '').localeCompare(b.sent ?? ''))
  return { answer: 'listed', as: as ?? null, waiting }
}

/** The documents with an envelope next to them. */
function deliveredIn(path: string | undefined, app: App): string[] {
  const names =
    path === undefined
      ? listFiles(app.root).files.map(file => join(app.root, file.path))
      : filesOf(resolve(app.cwd, path), path)
  const there = new Set(names)
  return names
    .filter(name => name.endsWith(ENVELOPE))
    .map(name => `${name.slice(0, -ENVELOPE.length)}.json`)
    .filter(name => there.has(name))
}

function filesOf(folder: string, shown: string): string[] {
  try {
    return readdirSync(folder).map(name => join(folder, name))
  } catch (cause) {
    throw cannotRead(shown, cause)
  }
}

async function waitingIn(
  file: string,
  log: LogReader | undefined,
  app: App,
): Promise<WaitingHandoff | undefined> {
  const { read } = await readSource(relative(app.cwd, file) || file, app)
  const { handoff, source = null, target = null } = claimsOf(read?.value)
  if (handoff === undefined || target === null) return undefined
  const answered = log ? await latestAnswer(log, handoff) : null
  if (answered === 'accepted') return undefined
  const { timestamp, context } = fieldsOf(read?.value)
  const request = fieldsOf(fieldsOf(context).request)
  const sent = parseInstant(typeof timestamp === 'string' ? timestamp : '')
  return {
    path: maskSecrets(fromRoot(file, app)),
    handoff,
    from: source,
    to: target,
    sent: sent === undefined ? null : formatInstant(sent),
    age: sent === undefined ? null : formatAge(app.now - sent),
    answered,
    asked: {
      type: said(request.type),
      description: said(request.description),
      expected: said(request.expected_output),
      constraints: listOf(request.constraints).flatMap(one => said(one) ?? []),
    },
  }
}

const ANSWERS = {
  'handoff-accepted': 'accepted',
  'handoff-needs-input': 'needs-input',
  'handoff-rejected': 'rejected',
} as const

/** The newest answer of this repository about a handoff; an acceptance stands. */
async function latestAnswer(log: LogReader, id: string) {
  let answer: (typeof ANSWERS)[keyof typeof ANSWERS] | null = null
  for (const index of await indicesOf(log, id)) {
    const { kind } = await summaryIn(log, index, await entryAt(log, index))
    if (kind === null || !Object.hasOwn(ANSWERS, kind)) continue
    answer = ANSWERS[kind as keyof typeof ANSWERS]
    if (answer === 'accepted') return answer
  }
  return answer
}

/** A text of a document that was not verified yet. */
function said(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const text = maskSecrets(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
