import { checkDocument, type Diagnostic, type Facts, refuse } from '../../contract/index.ts'
import { NO_MISSION } from '../../contracts/index.ts'
import type { Document } from '../../document/index.ts'
import type { Payload } from '../runner.ts'
import { breaches } from './breaches.ts'
import { takenIds } from './ids.ts'
import { beyondLimits, unhandable } from './limits.ts'
import {
  documentOf,
  type Known,
  type MissionDocument,
  MissionFacts,
  rememberedFact,
  storedFact,
} from './mission-documents.ts'
import type { Objection } from './objection.ts'
import { secretsIn } from './secrets.ts'

/** The time and purpose of a check. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** The worker that is about to use a pass, if any. */
  readonly usedBy?: string
}

/** An artifact with its diagnostics; any error refuses it. */
export interface Checked {
  readonly artifact: Payload
  readonly accepted: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Checks new artifacts of a mission against each other and what is stored, as `waybill check` checks files. Also
 * refuses credentials, taken or overlong ids, unrunnable missions and artifacts that would invalidate stored ones.
 * `stored` includes the envelope, graphs and policy decisions; results are cached per payload object.
 */
export async function checkArtifacts(
  fresh: readonly Payload[],
  stored: readonly Payload[],
  moment: Moment,
): Promise<readonly Checked[]> {
  const { documents, before, added, checkOne } = await prepared(fresh, stored, moment)
  const checked = documents.map(one => {
    const more = one.known ? [...unhandable(one.known)] : []
    return withMore(checkOne(one), one.document, more)
  })
  // Refused artifacts invalidate nothing.
  if (!checked.every(({ accepted }) => accepted)) return checked
  const broken = await breaches(before, added, moment.now)
  return checked.map((each, i) =>
    withMore(each, documents[i]?.document, broken.get(documents[i]?.known)),
  )
}

/** Checks all artifacts of a mission as `checkArtifacts` does, one at a time, so that callers can stop early. */
export async function* checkEach(
  all: readonly Payload[],
  now: number,
  pause: () => Promise<void>,
): AsyncIterable<Checked> {
  const { documents, checkOne } = await prepared(all, [], { now }, pause)
  for (const each of documents) {
    await pause()
    yield checkOne(each)
  }
}

/** Reads artifacts and gathers the facts that their checks need. */
async function prepared(
  fresh: readonly Payload[],
  stored: readonly Payload[],
  { now, usedBy }: Moment,
  pause?: () => Promise<void>,
) {
  const documents: MissionDocument[] = []
  for (const payload of fresh) {
    await pause?.()
    documents.push(await documentOf(payload))
  }
  const before: Known[] = []
  for (const payload of stored) {
    // Awaiting cached values would dominate the cost for large missions.
    const known = rememberedFact(payload) ?? (await storedFact(payload))
    if (known) before.push(known)
  }
  const more: Facts = usedBy === undefined ? {} : { usedBy: { value: usedBy } }
  const added = documents.flatMap(({ known, declared }) => (known && declared ? known : []))
  const factsOf = gatherer([...before, ...added], more)
  const taken = takenIds(before, added)
  const beyond = beyondLimits(before, added)
  const checkOne = (each: MissionDocument) => judge(each, factsOf, { now, taken, beyond })
  return { documents, before, added, checkOne }
}

/** Returns the facts of a document's mission, gathered once per mission. */
function gatherer(everything: readonly Known[], more: Facts): (own: Known) => Facts {
  const missions = new Map<string, MissionFacts>()
  return own => {
    if (own.mission === undefined) return { ...more, ...NO_MISSION }
    const facts = missions.get(own.mission) ?? new MissionFacts(own.mission, everything, more)
    missions.set(own.mission, facts)
    return facts.for(own)
  }
}

interface Judging {
  readonly now: number
  readonly taken: ReadonlyMap<Known, Objection>
  readonly beyond: ReadonlyMap<Known, readonly Objection[]>
}

function judge(
  { payload, document, fault, artifact, known }: MissionDocument,
  factsOf: (own: Known) => Facts,
  { now, taken, beyond }: Judging,
): Checked {
  if (fault !== undefined) return refused(payload, document, 'syntax/json', fault)
  if (!artifact || !known) {
    const why = 'this is not a mission artifact'
    return refused(payload, document, 'document/unrecognised', why)
  }
  const { recognised, loaded } = artifact
  const result = checkDocument(document, recognised, loaded, { now, facts: factsOf(known) })
  const checked = {
    artifact: payload,
    accepted: result.accepted,
    diagnostics: result.diagnostics,
  }
  const own = taken.get(known)
  const more = [...(own ? [own] : []), ...(beyond.get(known) ?? [])]
  return withMore(checked, document, [...secretsIn(document), ...more])
}

function refused(artifact: Payload, document: Document, code: string, message: string): Checked {
  const hint = 'answer with an artifact that follows its contract'
  const { diagnostics } = refuse(document, code, { path: [], message, hint })
  return { artifact, accepted: false, diagnostics }
}

function withMore(
  checked: Checked,
  document: Document | undefined,
  objections: readonly Objection[] | undefined = [],
): Checked {
  if (!document || objections.length === 0) return checked
  const more = objections.flatMap(({ code, ...finding }) =>
    // The engine masks confidential text and locates the place.
    refuse(document, code, finding).diagnostics.filter(d => d.code === code),
  )
  return { ...checked, accepted: false, diagnostics: [...checked.diagnostics, ...more] }
}
