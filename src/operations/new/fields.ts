import { posix } from 'node:path'
import {
  type Contract,
  completed,
  type Fields,
  inSchemaOrder,
  type MissingPart,
  missingParts,
  type Schema,
} from '../../contract/index.ts'
import { formatYaml, type Json, maskedPointer, type Path } from '../../document/index.ts'
import type { App } from '../operation.ts'
import { askForParts, withPart } from './asking.ts'
import { collectFacts, type Known, knownOf, type Participants } from './known.ts'
import type { Made } from './made.ts'
import type { MissingField } from './output.ts'
import { draftToSend } from './send-draft.ts'

/** File names that are fixed, so that a folder holds only one. */
const FIXED_NAMES: Readonly<Record<string, string>> = {
  'session-state': 'SESSION_STATE.yaml',
  orchestration: 'ORCHESTRATION.yaml',
  'prompt-manifest': 'prompt-manifest.json',
  'prompt-lock': 'prompt-lock.json',
  'mission-envelope': 'mission-envelope.json',
}

/** The options of a new document. */
interface Wish extends Participants {
  /** Its path from the root. */
  readonly path: string | undefined
  /** The caller's folder, from the root. */
  readonly folder: string
  readonly draft: boolean
}

/** Builds a document of any JSON or YAML contract. */
export async function makeFields(
  contract: Contract,
  schema: Schema,
  given: Fields,
  wish: Wish,
  app: App,
): Promise<Made> {
  const start = wish.path === undefined ? wish.folder : posix.dirname(wish.path)
  const facts = await collectFacts(contract, schema, wish, start, app)
  const known = (await knownOf(contract, schema, facts)).filter(k => !isThere(given, k.path))
  const filled = known.reduce<unknown>((value, k) => withPart(value, k.path, k.value), given)
  const ask = wish.draft ? undefined : app.ask
  const value = ask ? await askForParts(schema, filled as Fields, ask) : (filled as Fields)
  const missing = missingParts(schema, value)
  const draft = wish.draft ? completed(schema, value) : value
  const isToSend = wish.draft && contract.name === 'agent-handoff'
  const whole = isToSend ? draftToSend(draft as Fields, given) : draft
  const fixed = FIXED_NAMES[contract.name]
  const folder = facts.mission ? posix.dirname(facts.mission.path) : start
  const path = wish.path ?? posix.join(folder, fixed ?? `${contract.name}.json`)
  return {
    path,
    isFixed: wish.path !== undefined || fixed !== undefined,
    text: written(inSchemaOrder(schema, whole), path),
    known: known.map(knownPart),
    missing: missing.map(missingField),
    isBlocked: missing.length > 0,
    predecessor: null,
    carried: [],
    notes: [],
    inForce: [],
    conflicts: [],
  }
}

/** Reports whether the caller gave a path or part of it; given values are never overwritten. */
function isThere(value: unknown, path: Path): boolean {
  let here = value
  for (const key of path) {
    if (typeof here !== 'object' || here === null) return here !== undefined
    if (!Object.hasOwn(here, key)) return false
    here = (here as Record<string | number, unknown>)[key]
  }
  return here !== undefined
}

function written(value: unknown, path: string): string {
  return /\.ya?ml$/i.test(path) ? formatYaml(value as Json) : `${JSON.stringify(value, null, 2)}\n`
}

function knownPart({ path, value, from }: Known): Made['known'][number] {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { field: maskedPointer(path), value: text, from }
}

function missingField({ path, schema }: MissingPart): MissingField {
  const { description = 'The value of this field.', examples, enum: choices } = schema
  const [example] = examples ?? []
  return {
    field: maskedPointer(path) || '/',
    what: description,
    ...(example !== undefined && {
      example: typeof example === 'string' ? example : JSON.stringify(example),
    }),
    ...(choices && { choices: choices.map(String) }),
  }
}
