import {
  checkDocument,
  type Facts,
  type Fields,
  type LoadedContract,
  type Missing,
  quote,
  type Recognised,
  recognise,
} from '../../contract/index.ts'
import {
  artifactsOf,
  contractsIn,
  hasEnvelope,
  loadContract,
  missionIdIn,
  sharedFacts,
} from '../../contracts/index.ts'
import { type Document, readDocuments } from '../../document/index.ts'
import { canonicalJson } from '../../ledger/index.ts'
import type { Payload } from '../runner.ts'
import { sortOf } from './artifacts.ts'

/** An artifact as a fact for the mission rules. */
export interface Known {
  readonly schema_name: string
  /** Its name in messages, in place of a file path. */
  readonly path: string
  readonly value: Fields
  /** Why it is unreliable; absent when its structure is valid. */
  readonly fault?: Missing
  /** The mission that it names, in lower case; undefined when malformed. */
  readonly mission: string | undefined
}

/** A payload parsed from its canonical text, as a file would be. */
export interface MissionDocument {
  readonly payload: Payload
  readonly document: Document
  /** Why it has no canonical text, if the parser finds no other fault. */
  readonly fault: string | undefined
  /** Undefined when it is not a mission artifact. */
  readonly artifact:
    | { readonly recognised: Recognised; readonly loaded: LoadedContract }
    | undefined
  readonly known: Known | undefined
  /** Whether it declares its own type, and so counts as a fact. */
  readonly declared: boolean
}

/** Parses a payload as a document. */
export async function documentOf(payload: Payload): Promise<MissionDocument> {
  const canonical = canonicalJson(payload)
  const text = typeof canonical === 'string' ? canonical : fallbackText(payload)
  const [document] = (await readDocuments(text, 'json')).documents
  // A JSON text is always one document.
  if (!document) throw new Error('a text without a document')
  const isFaulty = typeof canonical !== 'string' && document.faults.length === 0
  const fault = isFaulty ? canonical.fault : undefined
  const recognised = recognise(document.value, '', contractsIn('json'), 'named')
  const name = recognised?.contract.name.replaceAll('-', '_')
  if (!recognised || !sortOf(name))
    return { payload, document, fault, artifact: undefined, known: undefined, declared: false }
  const loaded = await loadContract(recognised.contract)
  const structure = checkDocument(document, recognised, loaded, { now: 0, structureOnly: true })
  const known = knownAs(loaded, document.value, structure.accepted && fault === undefined)
  const declared = recognise(document.value, '', contractsIn('json'), 'walk') !== undefined
  return { payload, document, fault, artifact: { recognised, loaded }, known, declared }
}

/** The text of a payload without a canonical form, so that the parser can report the fault. */
function fallbackText(payload: Payload): string {
  try {
    return JSON.stringify(payload) ?? EMPTY
  } catch {
    return EMPTY
  }
}

/** Text for a payload that cannot be serialized: it parses, so the canonicalization fault is reported. */
const EMPTY = '{}'

const stored = new WeakMap<Payload, Known>()

/** Returns the cached fact of a stored payload. */
export function rememberedFact(payload: Payload): Known | undefined {
  return stored.get(payload)
}

/** Returns the fact of a stored payload; undefined when it is not an artifact. */
export async function storedFact(payload: Payload): Promise<Known | undefined> {
  const known = await knownIn(payload)
  if (known) stored.set(payload, known)
  return known
}

async function knownIn(payload: Payload): Promise<Known | undefined> {
  const sort = sortOf(payload.schema_name)
  const contract = contractsIn('json').find(({ name }) => name === sort?.contract)
  if (!contract) return undefined
  const loaded = await loadContract(contract)
  if (loaded.validate(payload)) return knownAs(loaded, payload, true)
  // An unknown key alone is valid; the full check decides.
  const { known, declared } = await documentOf(payload)
  return declared ? known : undefined
}

function knownAs({ contract }: LoadedContract, value: unknown, isValid: boolean): Known {
  const fields = value as Fields
  const schema_name = contract.name.replaceAll('-', '_')
  const { mission_id } = fields
  const id = fields[sortOf(schema_name)?.idKey ?? '']
  const path = typeof id === 'string' ? `${schema_name} ${quote(id)}` : schema_name
  return {
    schema_name,
    path,
    value: fields,
    ...(isValid ? {} : { fault: { missing: `${path} is itself faulty` } }),
    mission: missionIdIn(mission_id),
  }
}

/** The facts about one mission for each of its documents, as `waybill check` gathers them from files. */
export class MissionFacts {
  readonly #all: readonly Known[]
  readonly #hasEnvelope: boolean
  readonly #shared: ReturnType<typeof sharedFacts>
  readonly #more: Facts

  constructor(mission: string, everything: readonly Known[], more: Facts) {
    this.#all = artifactsOf(
      everything.filter(known => known.mission === mission),
      everything.filter(known => known.mission === undefined),
    )
    this.#hasEnvelope = hasEnvelope(this.#all)
    this.#shared = sharedFacts(this.#all, name => ({
      missing: `there is no ${name} of mission ${mission}`,
    }))
    this.#more = more
  }

  /** Returns the facts for one document of the mission. */
  for(own: Known): Facts {
    // indexOf avoids a quadratic cost for large missions.
    const at = this.#all.indexOf(own)
    const others = at < 0 ? this.#all : this.#all.toSpliced(at, 1)
    const artifacts = this.#hasEnvelope ? { value: others } : this.#shared.envelope
    return { ...this.#more, ...this.#shared, artifacts }
  }
}
