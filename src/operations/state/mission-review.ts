import { missionCommand, quote } from '../../contract/index.ts'
import { type Review, reviewOf } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import type { Tx } from '../../store/index.ts'
import type { App } from '../operation.ts'

interface Asked {
  readonly tenant: string
  /** Whether the gate is to let the work pass, and so needs reviews that approve. */
  readonly passes: boolean
}

/**
 * Reviews of missions as artifacts of a gate: each itself, present or missing, and where it approves its digest.
 *
 * @throws WaybillError `conflict` where the gate is to let the work pass and a review does not approve.
 */
export async function reviewArtifacts(
  reviews: readonly Review[],
  { tenant, passes }: Asked,
  app: App,
): Promise<Readonly<Record<string, string>>> {
  // Most gates require none, and no database is opened for them.
  if (reviews.length === 0) return {}
  const { withStore } = await import('../mission/open.ts')
  const shown = await withStore(app, store =>
    store.tenant(tenant, async tx => {
      const each: Readonly<Record<string, string>>[] = []
      for (const review of reviews)
        each.push(artifactsOf(review, await readReview(tx, review), { tenant, passes }))
      return each
    }),
  )
  return Object.assign({}, ...shown)
}

function artifactsOf({ name, mission }: Review, found: Found, { tenant, passes }: Asked) {
  if ('approves' in found)
    return {
      [name]: 'present',
      [`${reviewOf(mission).name} sha256:${found.approves}`]: 'present',
    }
  if (!passes) return { [name]: 'missing' }
  throw new WaybillError(
    'conflict',
    `the mission ${mission} does not let the work pass: ${found.why}`,
    {
      hint: `${missionCommand('status', { tenant, mission })} shows how far it is; set the gate to pending until its review approves`,
    },
  )
}

type Found = { readonly approves: string } | { readonly why: string }

/** The one review of a mission: its digest where it approves as it stands, else why it does not. */
async function readReview(tx: Tx, { mission, pinned }: Review): Promise<Found> {
  const [{ theRun }, { listArtifacts }] = await Promise.all([
    import('../mission/open.ts'),
    import('../../store/index.ts'),
  ])
  await theRun(tx, mission)
  const [review] = await listArtifacts(tx, 'review_packet', mission)
  if (!review) return { why: 'it has no review yet' }
  const { payload, digest } = review
  if (!payload) return { why: 'its review was erased' }
  if (pinned !== undefined && pinned !== digest)
    return { why: 'its review is not the one that the gate was shown before' }
  const status = String(payload.review_status)
  // Edits that a review asks for are made by nobody here: until then it approves something else.
  if (status === 'approved' && payload.approved_output) return { approves: digest }
  return { why: `its review says ${quote(status)}` }
}
