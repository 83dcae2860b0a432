import { type Chapter, type Tour, TourError } from './tour.ts'

const PROMPT = 'agents/domains/scheduling.md'
const APPROVED = 'You decide when a reminder is sent.'
const CHANGED = 'You decide whether a reminder is sent.'
const SEND = (draft: string) => ['send', `drafts/${draft}.draft.yaml`, '--to', 'outbox']

/** Signs, verifies and records a handoff, refuses two, and verifies the log. */
export const handOverSigned: Chapter = {
  title: 'Hand over, signed and recorded',
  async run(tour: Tour) {
    tour.say(
      'A valid document may still be forged, old, or meant for another agent. So agents get',
      'keys, with the public keys in waybill.yaml, and their prompts are locked.',
    )
    await tour.waybill(['init', '--quiet'], { exitCode: 0 })
    await tour.waybill(['lock', 'verify'], { exitCode: 0, shows: ['8 prompts verified'] })
    tour.say('Delivery hands a task to scheduling. The draft contains only the request:')
    const sent = await tour.waybill(SEND('domain-to-domain'), { exitCode: 0, shows: ['✓ sent'] })
    const handoff = /outbox\/[0-9a-f-]+\.json/.exec(sent)?.[0]
    if (handoff === undefined) throw new TourError('send does not say where the handoff is')
    await tour.waybill(['receive', handoff], { exitCode: 0, shows: ['✓ accepted'] })
    tour.say(
      'Now scheduling may run, once: the same handoff is never accepted again.',
      'Patient care may not hand over to delivery. The refusal names the nearest permitted agent:',
    )
    await tour.waybill(SEND('out-of-bounds'), {
      exitCode: 1,
      shows: [
        'agent-handoff/within-boundaries',
        "nearest permitted agent is 'archetype-01-release-steward'",
        'not sent',
      ],
    })
    await refuseChangedPrompt(tour)
    tour.say('Every decision is in the log. Verification shows that nothing in it was changed:')
    await tour.waybill(['log', 'verify'], { exitCode: 0, shows: ['✓', 'verified', 'agrees with'] })
  },
}

async function refuseChangedPrompt(tour: Tour): Promise<void> {
  tour.say("Again a word of scheduling's prompt is changed.")
  tour.change(PROMPT, APPROVED, CHANGED)
  await tour.waybill(SEND('domain-to-domain'), {
    exitCode: 1,
    shows: ['agent-handoff/prompt-hash-matches-lock', 'domain-01-scheduling is in quarantine'],
  })
  tour.say(
    'Restoring the word is not enough: the agent stays out until a named person has reviewed it.',
  )
  tour.change(PROMPT, CHANGED, APPROVED)
  await tour.waybill(['lock', 'reconcile', 'domain-01-scheduling', '--dry-run'], {
    exitCode: 0,
    shows: ['in quarantine', 'the file matches the locked version'],
  })
}
