import { type Chapter, type Tour, TourError } from './tour.ts'

const PROMPT = 'agents/domains/scheduling.md'
const APPROVED = 'You decide when a reminder is sent.'
const CHANGED = 'You decide whether a reminder is sent.'
const SEND = (draft: string) => ['send', `drafts/${draft}.draft.yaml`, '--to', 'outbox']

/** A handoff that is signed, verified and recorded; two that are refused; and the log that holds them all. */
export const handOverSigned: Chapter = {
  title: 'Hand over, signed and recorded',
  async run(tour: Tour) {
    tour.say(
      'A document that is sound may still be forged, old, or for somebody else. So agents get',
      'keys, whose public halves stand in waybill.yaml; and their prompts are locked.',
    )
    await tour.waybill(['init', '--quiet'], { exitCode: 0 })
    await tour.waybill(['lock', 'verify'], { exitCode: 0, shows: ['8 prompts verified'] })
    tour.say('Delivery hands a task to scheduling. A draft says what is wanted, no more:')
    const sent = await tour.waybill(SEND('domain-to-domain'), { exitCode: 0, shows: ['✓ sent'] })
    const handoff = /outbox\/[0-9a-f-]+\.json/.exec(sent)?.[0]
    if (handoff === undefined) throw new TourError('send does not say where the handoff is')
    await tour.waybill(['receive', handoff], { exitCode: 0, shows: ['✓ accepted'] })
    tour.say(
      'Only now may scheduling be run, and once: the same handoff is never accepted again.',
      'Patient care may not hand to delivery. The refusal names who is the nearest instead:',
    )
    await tour.waybill(SEND('out-of-bounds'), {
      exitCode: 1,
      shows: [
        'agent-handoff/within-boundaries',
        "nearest permitted agent is 'archetype-01-release-steward'",
        'nothing was sent',
      ],
    })
    await refuseChangedPrompt(tour)
    tour.say('Whatever was decided is in the log. That nothing in it was changed can be computed:')
    await tour.waybill(['log', 'verify'], { exitCode: 0, shows: ['✓', 'verified', 'agrees with'] })
  },
}

async function refuseChangedPrompt(tour: Tour): Promise<void> {
  tour.say("Again somebody changes one word of scheduling's prompt.")
  tour.change(PROMPT, APPROVED, CHANGED)
  await tour.waybill(SEND('domain-to-domain'), {
    exitCode: 1,
    shows: ['agent-handoff/prompt-hash-matches-lock', 'domain-01-scheduling is in quarantine'],
  })
  tour.say('To put the word back is not enough: it stays out until a named person has looked.')
  tour.change(PROMPT, CHANGED, APPROVED)
  await tour.waybill(['lock', 'reconcile', 'domain-01-scheduling', '--dry-run'], {
    exitCode: 0,
    shows: ['in quarantine', 'the file matches the locked version'],
  })
}
