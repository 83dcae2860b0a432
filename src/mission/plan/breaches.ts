import { checkDocument } from '../../contract/index.ts'
import { sortOf } from './artifacts.ts'
import { documentOf, type Known, MissionFacts } from './mission-documents.ts'
import type { Objection } from './objection.ts'

/** Which sorts of stored artifacts a new one of a sort can make fail; policies that change their mind are meant to. */
const TOUCHES: Readonly<Record<string, string>> = {
  review_packet: 'review_packet',
  prompt_package: 'worker_result',
  librarian_pass: 'worker_result',
  worker_result: 'writeback_proposal',
}

/**
 * What is to be said of new artifacts that would make stored ones fail, such as a second review dated before the first.
 *
 * So everything that is stored of a mission passes `waybill check` at any time.
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
        message: `with it, the ${known.path} would no longer be accepted: ${why}`,
        hint: 'leave it out, or write it so that what is stored stays as good as it was',
      }
      broken.set(fresh, [...(broken.get(fresh) ?? []), objection])
    }
  }
  return broken
}

function isTouched(known: Known, { schema_name, value, mission }: Known): boolean {
  if (known.schema_name !== TOUCHES[schema_name] || known.mission !== mission) return false
  // What is given to a task touches nothing of the others.
  return sortOf(schema_name)?.task !== 'other' || known.value.task_id === value.task_id
}

/** Why a stored artifact fails beside a new one; nothing where it passes, or failed before. */
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
