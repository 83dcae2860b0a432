import { quote } from '../../contract/index.ts'
import { sortOf } from './artifacts.ts'
import type { Known } from './mission-documents.ts'
import type { Objection } from './objection.ts'

/** Objections to new artifacts whose id another artifact of their kind has. */
export function takenIds(
  stored: readonly Known[],
  added: readonly Known[],
): ReadonlyMap<Known, Objection> {
  const objections = new Map<Known, Objection>()
  const before = new Set<string>()
  for (const known of added) {
    const key = sortOf(known.schema_name)?.idKey
    if (key === undefined || typeof known.value[key] !== 'string') continue
    const isSame = (other: Known) =>
      other.value[key] === known.value[key] &&
      other.schema_name === known.schema_name &&
      other.mission === known.mission
    const name = JSON.stringify([known.schema_name, known.mission, known.value[key]])
    const isTaken = before.has(name) || stored.some(isSame)
    before.add(name)
    if (!isTaken) continue
    objections.set(known, {
      code: 'mission/id-taken',
      path: [key],
      message: `the mission already has a ${known.schema_name} with the id ${quote(known.value[key])}`,
      hint: 'use another id, or omit the key: one is generated',
    })
  }
  return objections
}
