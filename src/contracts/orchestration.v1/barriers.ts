import type { Path } from '../../document/index.ts'
import type { Orchestration } from './schema.ts'

type BarrierSection = NonNullable<Orchestration['barriers']>

/** A point at which pipelines wait for each other. */
export type Barrier = Extract<BarrierSection, readonly unknown[]>[number]

/** The barriers with ids and paths, from a list or a map by id. */
export function* barriersOf({
  barriers = [],
}: Orchestration): Generator<[Barrier, string | undefined, Path]> {
  if (Array.isArray(barriers)) {
    for (const [i, barrier] of barriers.entries()) yield [barrier, barrier.id, ['barriers', i]]
  } else {
    for (const [id, barrier] of Object.entries(barriers)) yield [barrier, id, ['barriers', id]]
  }
}
