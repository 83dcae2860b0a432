import { checkDocument } from '../../contract/index.ts'
import { sortOf } from './artifacts.ts'
import { documentOf, type Known, MissionFacts } from './mission-documents.ts'
import type { Objection } from './objection.ts'

/** Which stored kind a new artifact may invalidate. Policy decisions are excluded: they may change. */
const TOUCHES: Readonly<Record<string, string>> = {
  review_packet: 'review_packet',
  prompt_package: 'worker_result',
  librarian_pass: 'worker_result',
  worker_result: 'writeback_proposal',
}

/**
 * Objections to new artifacts that would invalidate stored ones, such as a review dated before the first. Everything
 * stored of a mission always passes `waybill check`.
 */
export async function breaches(
  stored: readonly Known[],
  added: readonly Known[],
  now: number,
): Promise<ReadonlyMap<Known | undefined, readonly Objection[]>> {
  const broken = new Map<Known | undefined, Objection[]>()
  for (const fresh of added) {
    const touched = stored.filter(known => isTouched(known, fresh))
    for (const known of touched) {
      const why = await whyFails(known, stored, fresh, now)
      if (why === undefined) continue
      const objection = {
        code: 'mission/breaks-stored',
        path: [],
        message: `it would make the stored ${known.path} invalid: ${why}`,
        hint: 'remove it, or change it so that the stored artifact stays valid',
      }
      broken.set(fresh, [...(broken.get(fresh) ?? []), objection])
    }
  }
  return broken
}

function isTouched(known: Known, { schema_name, value, mission }: Known): boolean {
  if (known.schema_name !== TOUCHES[schema_name] || known.mission !== mission) return false
  // An artifact for one task does not affect others.
  return sortOf(schema_name)?.task !== 'other' || known.value.task_id === value.task_id
}

/** Why a new artifact invalidates a stored one; undefined when it does not, or the stored one already failed. */
async function whyFails(
  known: Known,
  stored: readonly Known[],
  fresh: Known,
  now: number,
): Promise<string | undefined> {
  const { document, artifact } = await documentOf(known.value)
  if (!artifact) return undefined
  const errorsAmong = (everything: readonly Known[]) => {
    const facts = new MissionFacts(known.mission ?? '', everything, {}).for(known)
    const options = { now, facts }
    const result = checkDocument(document, artifact.recognised, artifact.loaded, options)
    return result.diagnostics.filter(({ severity }) => severity === 'error')
  }
  const before = new Set(errorsAmong(stored).map(({ code }) => code))
  return errorsAmong([...stored, fresh]).find(({ code }) => !before.has(code))?.message
}
