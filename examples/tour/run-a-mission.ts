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

/** A mission from its goal to a reviewed result, and what comes of that: a proposal, a proof, and the next session. */
export const runAMission: Chapter = {
  title: 'Run a mission',
  needsDatabase: true,
  async run(tour: Tour) {
    tour.say(
      'Is what was done kept? A mission finds out: seven tasks, each handed over as above and',
      'done by a program of the example that searches and counts its files, with a database',
      'of its own for what comes out of it. Nothing is asked of a model or of the network.',
    )
    if (hasModelKey()) useModel(tour)
    const about = ['--context', 'ticket=NUDGE-118', '--by', 'ines.duarte']
    const told = await tour.waybill([...RUN, ...about], { exitCode: 0, shows: ['finished'] })
    const mission = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(told)?.[0]
    if (mission === undefined) throw new TourError('mission run does not say which mission it is')
    tour.say('Every task left a checked artifact. This is what the one review lets out:')
    const showing = tour.waybill(['mission', 'show', mission, 'review_packet'], {
      exitCode: 0,
      // What a model comes to, nobody can tell before.
      shows: hasModelKey() ? ['"review_status"'] : ['"review_status": "approved'],
    })
    const [outcome] = await Promise.all([outcomeOf(tour, mission), showing])
    if (outcome.proposal !== undefined) await showProposal(tour, outcome.proposal)
    tour.say(
      'All hand-overs are in the log. Who keeps its checkpoint can show later that none was',
      'changed or taken out:',
    )
    await tour.waybill(['log', 'checkpoint'], { exitCode: 0, shows: ['urn:waybill:log:'] })
    await handOn(tour, outcome)
  },
}

async function showProposal(tour: Tour, proposal: string): Promise<void> {
  tour.say(
    'The reviewer also proposes what the ticket should say. No agent writes it there: the',
    'proposal waits for a person, who sees what would be approved and signs for it.',
  )
  await tour.waybill(['mission', 'approve', proposal, '--dry-run'], {
    exitCode: 0,
    shows: ['would be approved', '"requires_approval": true', '--by <who> --why <reason>'],
  })
}

/** What the next session has to know, from the artifacts as they are stored. */
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
    // What no review has let out is not decided on.
    proposal: /^approved/.test(newest('review_packet')?.payload.review_status ?? '')
      ? newest('writeback_proposal')?.id
      : undefined,
    agents: hasModelKey()
      ? 'Its agents are asked of a model. What they leave open, they have not found in the files.'
      : 'Its agents are programs that count and look up. What they leave open, nothing in the files answers.',
    refs: evidence_matrix.flatMap(({ support_refs }) => support_refs),
  }
}

async function handOn(tour: Tour, outcome: Outcome): Promise<void> {
  tour.say('What the mission left open is where the next session begins:')
  tour.write(DRAFT, nextSession(outcome))
  const made = ['new', 'handoff-document', '--from', DRAFT, '--now', STORY_NOW]
  const told = await tour.waybill(made, { exitCode: 0 })
  const handoff = /docs\/[^ ]+[.]md/.exec(told.slice(told.indexOf('✓')))?.[0]
  if (handoff === undefined) throw new TourError('new does not say where the handoff is')
  await tour.waybill(['show', handoff, '--now', STORY_NOW], {
    exitCode: 0,
    shows: ['Pending Work', outcome.mission.slice(0, 8)],
  })
}

/** The same mission, agents, prompts and tools; a model does what the programs do otherwise. */
function useModel(tour: Tour): void {
  tour.say('NUDGE_MODEL_KEY is set, so a model does the tasks, with the same prompts and tools:')
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
