import { quote } from '../../contract/index.ts'
import { WaybillError } from '../../error.ts'
import type { App } from '../operation.ts'

/** The mission whose review a gate is shown. */
export interface Reviewed {
  readonly mission: string
  readonly tenant: string
  /** Whether the gate is to let the work pass, and so needs a review that approves. */
  readonly passes: boolean
}

/**
 * The review of a mission as artifacts of a gate: the review itself, present or missing, and where it approves its digest.
 *
 * @throws WaybillError `conflict` where the gate is to let the work pass and the review does not approve.
 */
export async function reviewArtifacts(
  { mission, tenant, passes }: Reviewed,
  app: App,
): Promise<Readonly<Record<string, string>>> {
  const name = `MissionReview ${mission}`
  const found = await readReview(mission, tenant, app)
  if ('approves' in found)
    return { [name]: 'present', [`${name} sha256:${found.approves}`]: 'present' }
  if (!passes) return { [name]: 'missing' }
  throw new WaybillError(
    'conflict',
    `the mission ${mission} does not let the work pass: ${found.why}`,
    {
      hint: `waybill mission status ${mission} shows how far it is; set the gate to pending until its review approves`,
    },
  )
}

type Found = { readonly approves: string } | { readonly why: string }

/** The one review of a mission: its digest where it approves as it stands, else why it does not. */
async function readReview(mission: string, tenant: string, app: App): Promise<Found> {
  const [{ theRun, withStore }, { listArtifacts }] = await Promise.all([
    import('../mission/open.ts'),
    import('../../store/index.ts'),
  ])
  const reviews = await withStore(app, store =>
    store.tenant(tenant, async tx => {
      await theRun(tx, mission)
      return listArtifacts(tx, 'review_packet', mission)
    }),
  )
  const [review] = reviews
  if (!review) return { why: 'it has no review yet' }
  const { payload, digest } = review
  if (!payload) return { why: 'its review was erased' }
  const status = String(payload.review_status)
  // Edits that a review asks for are made by nobody here: until then it approves something else.
  if (status === 'approved' && payload.approved_output) return { approves: digest }
  return { why: `its review says ${quote(status)}` }
}
