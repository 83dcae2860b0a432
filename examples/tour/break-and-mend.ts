import { type Chapter, STORY_NOW, type Tour } from './tour.ts'

const HANDOFF = 'docs/adr/ADR-0.3.0-quiet-hours/handoffs/2026-03-05T15-10-00Z-retry-queue.md'
const STEP = 'Tell the two clinics that had switched reminders off.'
const PROMPT = 'agents/domains/scheduling.md'
const APPROVED = 'You decide when a reminder is sent.'
const CHANGED = 'You decide whether a reminder is sent.'
const PLACEHOLDER = 'handoff-document/no-placeholders'
const CHECK = ['check', '--now', STORY_NOW]

/** Two small changes break two promises; both are found, explained and mended. */
export const breakAndMend: Chapter = {
  title: 'Break it, and mend it',
  async run(tour: Tour) {
    tour.say('It is late. Somebody leaves the last of the next steps for tomorrow ...')
    tour.change(HANDOFF, STEP, 'TBD')
    tour.say("... and somebody else changes one word of an agent's prompt, and asks nobody.")
    tour.change(PROMPT, APPROVED, CHANGED)
    await tour.waybill(CHECK, {
      exitCode: 1,
      shows: [
        PLACEHOLDER,
        "placeholder 'TBD' in 'Immediate Next Steps'",
        'prompt-lock/hashes-match-files',
        'agent-handoff/prompt-hash-matches-lock',
        '3 of 28 documents rejected',
      ],
    })
    tour.say(
      'The hole in the handoff costs one document: nobody resumes from it. The changed',
      'word costs two, the lock that pins the prompt and the hand-over to that agent:',
      'it is no longer the agent that was approved. Any code can be asked about:',
    )
    await tour.waybill(['explain', PLACEHOLDER], { exitCode: 0, shows: [PLACEHOLDER] })
    tour.say('So the step is written down, and the prompt is put back as it was approved.')
    tour.change(HANDOFF, 'TBD', STEP)
    tour.change(PROMPT, CHANGED, APPROVED)
    await tour.waybill(CHECK, { exitCode: 0, shows: ['28 documents accepted'] })
  },
}
