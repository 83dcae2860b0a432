import { hasModelKey, modelUrl } from './environment.ts'
import { nextSession, type Outcome } from './next-session.ts'
import { type Chapter, STORY_NOW, type Tour, TourError } from './tour.ts'

const GOAL = 'Why do reminders arrive at night, and is what was done about it kept?'
const RUN = ['mission', 'run', 'night-messages', '--goal', GOAL]
const DRAFT = 'drafts/night-messages.draft.md'
const MODEL = '{ runner: model }'

interface Shown {
  readonly artifacts: readonly {
    readonly schemaName: string
    readonly id: string
    readonly payload: Payload
  }[]
}

interface Payload {
  readonly summary?: string
  readonly review_status?: string
  readonly coverage_gaps?: readonly string[]
  readonly evidence_matrix?: readonly { readonly support_refs: readonly string[] }[]
}

/** Runs a mission from its goal to a reviewed result, then shows the proposal, the checkpoint and the next handoff. */
export const runAMission: Chapter = {
  title: 'Run a mission',
  needsDatabase: true,
  async run(tour: Tour) {
    tour.say(
      'Does the change still hold? A mission finds out: seven tasks, each handed over as above',
      'and done by a program of the example that searches and counts its files. The artifacts',
      'are stored in a database. It uses no model and no network.',
    )
    if (hasModelKey()) useModel(tour)
    const about = ['--context', 'ticket=NUDGE-118', '--by', 'ines.duarte']
    const output = await tour.waybill([...RUN, ...about], { exitCode: 0, shows: ['finished'] })
    const mission = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(output)?.[0]
    if (mission === undefined) throw new TourError('mission run does not say which mission it is')
    tour.say('Every task stored a checked artifact. This is the result of the review:')
    const showing = tour.waybill(['mission', 'show', mission, 'review_packet'], {
      exitCode: 0,
      // The result of a model is not predictable.
      shows: hasModelKey() ? ['"review_status"'] : ['"review_status": "approved'],
    })
    const [outcome] = await Promise.all([outcomeOf(tour, mission), showing])
    if (outcome.proposal !== undefined) await showProposal(tour, outcome.proposal)
    tour.say(
      'All handoffs are in the log. Its checkpoint, kept elsewhere, can prove later that none',
      'was changed or removed:',
    )
    await tour.waybill(['log', 'checkpoint'], { exitCode: 0, shows: ['urn:waybill:log:'] })
    await handOn(tour, outcome)
  },
}

async function showProposal(tour: Tour, proposal: string): Promise<void> {
  tour.say(
    'The reviewer also proposes a comment for the ticket. No agent writes it: the',
    'proposal waits for a person, who reviews and approves it.',
  )
  await tour.waybill(['mission', 'approve', proposal, '--dry-run'], {
    exitCode: 0,
    shows: ['would be approved', '"requires_approval": true', '--by <name> --why <reason>'],
  })
}

/** Reads the outcome for the next session from the stored artifacts. */
async function outcomeOf(tour: Tour, mission: string): Promise<Outcome> {
  const { artifacts } = (await tour.ask(['mission', 'show', mission])) as Shown
  const newest = (name: string) => artifacts.findLast(({ schemaName }) => schemaName === name)
  const {
    summary = '',
    coverage_gaps = [],
    evidence_matrix = [],
  } = newest('aggregation_packet')?.payload ?? {}
  return {
    mission,
    summary,
    open: coverage_gaps,
    // Only an approved review leads to a decision.
    proposal: /^approved/.test(newest('review_packet')?.payload.review_status ?? '')
      ? newest('writeback_proposal')?.id
      : undefined,
    agents: hasModelKey()
      ? 'Its agents run on a model. Open questions are those they could not answer from the files.'
      : 'Its agents are programs that count and look up. Open questions have no answer in the files.',
    refs: evidence_matrix.flatMap(({ support_refs }) => support_refs),
  }
}

async function handOn(tour: Tour, outcome: Outcome): Promise<void> {
  tour.say('The next session starts with the open items of the mission:')
  tour.write(DRAFT, nextSession(outcome))
  const made = ['new', 'handoff-document', '--from', DRAFT, '--now', STORY_NOW]
  const output = await tour.waybill(made, { exitCode: 0 })
  const handoff = /docs\/[^ ]+[.]md/.exec(output.slice(output.indexOf('✓')))?.[0]
  if (handoff === undefined) throw new TourError('new does not say where the handoff is')
  await tour.waybill(['show', handoff, '--now', STORY_NOW], {
    exitCode: 0,
    shows: ['Pending Work', outcome.mission.slice(0, 8)],
  })
}

/** Runs the same mission, agents, prompts and tools on a model instead of the programs. */
function useModel(tour: Tour): void {
  tour.say('NUDGE_MODEL_KEY is set, so a model does the tasks with the same prompts and tools:')
  for (const program of ['causes', 'promises', 'archive', 'evidence', 'rule', 'review'])
    tour.change(
      'waybill.yaml',
      `{ runner: command, command: [node, agents/programs/${program}.ts], seconds: 60 }`,
      MODEL,
    )
  const url = modelUrl()
  const key = 'key: NUDGE_MODEL_KEY'
  if (url !== undefined) tour.change('waybill.yaml', key, `${key}, url: '${url}'`)
}
