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

/** An artifact as a fact for others, in the shape that the rules of missions want. */
export interface Known {
  readonly schema_name: string
  /** How messages call it, in the place of a file. */
  readonly path: string
  readonly value: Fields
  /** Why it cannot be relied on as a whole; absent where its structure is as its contract wants it. */
  readonly fault?: Missing
  /** The mission that it names, in small letters; nothing where it is faulty and names none. */
  readonly mission: string | undefined
}

/** A payload as a document of its own, read from its canonical text as a file would be. */
export interface MissionDocument {
  readonly payload: Payload
  readonly document: Document
  /** Why there is no canonical text of it, where the reader has nothing against what there is. */
  readonly fault: string | undefined
  /** Nothing where it is no artifact of a mission. */
  readonly artifact:
    | { readonly recognised: Recognised; readonly loaded: LoadedContract }
    | undefined
  readonly known: Known | undefined
  /** It says itself which artifact it is, and so counts as a fact for others. */
  readonly declared: boolean
}

/** Makes a document of a payload. */
export async function documentOf(payload: Payload): Promise<MissionDocument> {
  const canonical = canonicalJson(payload)
  const text = typeof canonical === 'string' ? canonical : wayOut(payload)
  const [document] = (await readDocuments(text, 'json')).documents
  // A JSON text is one document, whatever it says.
  if (!document) throw new Error('a text without a document')
  const isFaulty = typeof canonical !== 'string' && document.faults.length === 0
  const fault = isFaulty ? canonical.fault : undefined
  const recognised = recognise(document.value, '', contractsIn('json'), 'named')
  const name = recognised?.contract.name.replaceAll('-', '_')
  if (!recognised || !sortOf(name))
    return { payload, document, fault, artifact: undefined, known: undefined, declared: false }
  const loaded = await loadContract(recognised.contract)
  const sound = checkDocument(document, recognised, loaded, { now: 0, structureOnly: true })
  const known = knownAs(loaded, document.value, sound.accepted && fault === undefined)
  const declared = recognise(document.value, '', contractsIn('json'), 'walk') !== undefined
  return { payload, document, fault, artifact: { recognised, loaded }, known, declared }
}

/** The text of what has no canonical one, so that its reader may say what is wrong with it. */
function wayOut(payload: Payload): string {
  try {
    return JSON.stringify(payload) ?? NOTHING
  } catch {
    return NOTHING
  }
}

/** Stands for what cannot be written at all: the reader has nothing against it, so what is said is why. */
const NOTHING = '{}'

const stored = new WeakMap<Payload, Known>()

/** A stored payload that was looked at before, as a fact for others. */
export function rememberedFact(payload: Payload): Known | undefined {
  return stored.get(payload)
}

/** A payload that was checked when it was stored, as a fact for others; nothing where it is no artifact. */
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
  // An unknown key alone is no fault; which it is, the engine says.
  const { known, declared } = await documentOf(payload)
  return declared ? known : undefined
}

function knownAs({ contract }: LoadedContract, value: unknown, sound: boolean): Known {
  const fields = value as Fields
  const schema_name = contract.name.replaceAll('-', '_')
  const { mission_id } = fields
  const id = fields[sortOf(schema_name)?.idKey ?? '']
  const path = typeof id === 'string' ? `${schema_name} ${quote(id)}` : schema_name
  return {
    schema_name,
    path,
    value: fields,
    ...(sound ? {} : { fault: { missing: `${path} is itself faulty` } }),
    mission: missionIdIn(mission_id),
  }
}

/** The facts about one mission, for each of its documents; as `waybill check` gathers them from files. */
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

  /** The facts for one of the mission's documents. */
  for(own: Known): Facts {
    // To look at each of them for each would cost more than all else where there are many.
    const at = this.#all.indexOf(own)
    const others = at < 0 ? this.#all : this.#all.toSpliced(at, 1)
    const artifacts = this.#hasEnvelope ? { value: others } : this.#shared.envelope
    return { ...this.#more, ...this.#shared, artifacts }
  }
}
