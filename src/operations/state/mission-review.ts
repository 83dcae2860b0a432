import { missionCommand, quote } from '../../contract/index.ts'
import { type Review, reviewOf } from '../../contracts/index.ts'
import { WaybillError } from '../../error.ts'
import type { Tx } from '../../store/index.ts'
import type { App } from '../operation.ts'

interface GateRequest {
  readonly tenant: string
  /** Whether the gate is set to pass, and so needs approving reviews. */
  readonly passes: boolean
}

/**
 * Returns the reviews of missions as gate artifacts: each as present or missing, and the digest of an approving one.
 *
 * @throws {WaybillError} 'conflict' when the gate is set to pass and a review does not approve.
 */
export async function reviewArtifacts(
  reviews: readonly Review[],
  { tenant, passes }: GateRequest,
  app: App,
): Promise<Readonly<Record<string, string>>> {
  // Most gates require no review; open no database for them.
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

function artifactsOf({ name, mission }: Review, found: Found, { tenant, passes }: GateRequest) {
  if ('approves' in found)
    return {
      [name]: 'present',
      [`${reviewOf(mission).name} sha256:${found.approves}`]: 'present',
    }
  if (!passes) return { [name]: 'missing' }
  throw new WaybillError(
    'conflict',
    `the review of mission ${mission} does not allow the gate to pass: ${found.why}`,
    {
      hint: `${missionCommand('status', { tenant, mission })} shows its status; set the gate to pending until its review approves`,
    },
  )
}

type Found = { readonly approves: string } | { readonly why: string }

/** Reads the only review of a mission: its digest when it approves without edits, or why it does not. */
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
    return { why: 'its review is not the one recorded with the gate' }
  const status = String(payload.review_status)
  // Requested edits have not been made, so the approval covers another output.
  if (status === 'approved' && payload.approved_output) return { approves: digest }
  return { why: `its review says ${quote(status)}` }
}
