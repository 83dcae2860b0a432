import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

const HANDOFF = 'docs/adr/ADR-0.3.0-quiet-hours/handoffs/2026-03-05T15-10-00Z-retry-queue.md'
const STEP = 'Tell the two clinics that had switched reminders off.'
const PROMPT = 'agents/domains/scheduling.md'
const APPROVED = 'You decide when a reminder is sent.'
const CHANGED = 'You decide whether a reminder is sent.'
const PLACEHOLDER = 'handoff-document/no-placeholders'
const CHECK = ['check', '--now', STORY_NOW]

/** Makes two small changes, finds and explains the errors, and fixes them. */
export const breakAndMend: Chapter = {
  title: 'Break it, and fix it',
  async run(tour: Tour) {
    tour.say('It is late. A developer leaves the last of the next steps for tomorrow ...')
    tour.change(HANDOFF, STEP, 'TBD')
    tour.say("... and another one changes a word of an agent's prompt without review.")
    tour.change(PROMPT, APPROVED, CHANGED)
    await tour.waybill(CHECK, {
      exitCode: 1,
      shows: [
        PLACEHOLDER,
        "placeholder 'TBD' in 'Immediate Next Steps'",
        'prompt-lock/hashes-match-files',
        'agent-handoff/prompt-hash-matches-lock',
        '3 of 29 documents rejected',
      ],
    })
    tour.say(
      'The gap in the handoff makes one document invalid: it cannot be resumed. The changed',
      'word makes two invalid, the lockfile and the handoff to that agent, which is no',
      'longer the approved one. waybill explain describes any code:',
    )
    await tour.waybill(['explain', PLACEHOLDER], { exitCode: 0, shows: [PLACEHOLDER] })
    tour.say('Write the step down, and restore the approved prompt.')
    tour.change(HANDOFF, 'TBD', STEP)
    tour.change(PROMPT, CHANGED, APPROVED)
    await tour.waybill(CHECK, { exitCode: 0, shows: ['29 documents accepted'] })
  },
}
